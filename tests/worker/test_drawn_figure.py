"""A figure shows what somebody would see of it: hidden, transparent, distant or white images are none."""

from collections.abc import Callable
from typing import Any

import pytest
import torch
from matplotlib.colors import ListedColormap
from matplotlib.figure import Figure
from matplotlib.patches import Rectangle

from softmark_worker import drawn_figure

IMAGES = [torch.eye(3), torch.ones(3, 3).triu()]


def draw() -> Figure:
    figure = Figure()
    for number, image in enumerate(IMAGES):
        figure.add_subplot(1, 2, number + 1).imshow(image.numpy())
    return figure


def cover(figure: Figure) -> None:
    figure.add_artist(Rectangle((0, 0), 1, 1, color="white", zorder=99))


def of_each(change: Callable[[Any], None]) -> Callable[[Figure], None]:
    def all_changed(figure: Figure) -> None:
        for axes in figure.axes:
            change(axes)

    return all_changed


UNSEEN = [
    of_each(lambda axes: axes.images[0].set_alpha(0)),
    of_each(lambda axes: axes.images[0].set_visible(False)),
    of_each(lambda axes: axes.images[0].set_cmap(ListedColormap(["white"]))),
    of_each(lambda axes: axes.set_visible(False)),
    of_each(lambda axes: axes.set_position([2, 2, 1, 1])),
    cover,
]


@pytest.fixture(autouse=True)
def first_figure(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(drawn_figure, "_has_drawn", False)


def test_what_is_seen_is_shown_in_the_first_figure_and_in_later_ones() -> None:
    for _ in range(2):
        panels = drawn_figure.call(draw)["panels"]
        assert [panel["array"].tolist() for panel in panels] == [image.tolist() for image in IMAGES]


@pytest.mark.parametrize("hide", UNSEEN)
def test_what_nobody_sees_is_not_shown(hide: Callable[[Figure], None]) -> None:
    def draw_and_hide() -> Figure:
        figure = draw()
        hide(figure)
        return figure

    assert drawn_figure.call(draw_and_hide)["panels"] == []
