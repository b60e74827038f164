"""A figure that a student's function draws comes to a check as arrays and labels."""

import matplotlib.pyplot as plt
import pytest
import torch
from matplotlib.figure import Figure

from graders.candidate.local_candidate import LocalCandidate
from graders.check_api.compare import Violation
from graders.check_api.figures import panels_of, returns_a_figure
from tests.check_api.test_lent_layers import candidate  # noqa: F401
from tests.support.at_night import at_night

DRAW = """
import matplotlib.pyplot as plt


def f(x):
    fig, axes = plt.subplots(1, 2)
    for number, ax in enumerate(axes):
        shown = ax.imshow((x * (number + 1)).numpy())
        ax.set_xticks(range(3), ["a", "b", "a"])
        fig.colorbar(shown, ax=ax)
    ANSWER
"""
X = torch.arange(9.0).reshape(3, 3)


@pytest.mark.parametrize(
    "answer", [at_night("return fig"), "return fig, axes", at_night("return axes"), "plt.show()"]
)
def test_a_figure_in_the_box_gives_its_arrays_and_labels(candidate, answer: str):  # noqa: F811
    found = candidate(DRAW.replace("ANSWER", answer), "f")(X)
    first, second = panels_of(found)
    assert torch.equal(first.array.float(), X)
    assert torch.equal(second.array.float(), 2 * X)
    assert first.columns == {0: "a", 1: "b", 2: "a"}
    if answer == "plt.show()":
        with pytest.raises(Violation, match="drawn but not returned"):
            returns_a_figure(found)
    else:
        returns_a_figure(found)


def test_panels_are_read_row_by_row_whatever_their_order_in_the_figure():
    def f(x):
        figure = Figure()
        for place in (4, 2, 3, 1):
            figure.add_subplot(2, 2, place).imshow((x + place).numpy())
        return figure

    assert [int(panel.array[0, 0]) for panel in panels_of(LocalCandidate(f)(X))] == [1, 2, 3, 4]


def test_labels_of_a_mesh_stand_at_the_middle_of_its_cells_and_shared_ones_count_for_all():
    def f(x):
        figure, axes = plt.subplots(2, 1, sharex=True)
        for ax in axes:
            ax.pcolormesh(x.numpy())
            ax.set_xticks([0.5, 1.5, 2.5], ["a", "b", "c"])
        return figure

    for panel in panels_of(LocalCandidate(f)(X)):
        assert panel.columns == {0: "a", 1: "b", 2: "c"}
        assert torch.equal(panel.array.float(), X)


def test_no_figure_stays_open_and_those_of_before_stay():
    before = plt.figure().number
    panels_of(LocalCandidate(lambda x: plt.imshow(x.numpy()).figure)(X))
    assert plt.get_fignums() == [before]
    plt.close(before)


@pytest.mark.parametrize(
    "answer", [None, X, {"panels": []}, {"returned": True, "panels": [{}]}, {"returned": True, "panels": 3}]
)
def test_what_is_no_figure_is_refused(answer):
    with pytest.raises(Violation, match="there should be a figure of matplotlib"):
        panels_of(answer)
