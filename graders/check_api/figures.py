"""Figures that a student's function draws: the arrays and the labels of their axes, never a picture."""

from dataclasses import dataclass
from typing import Any

from torch import Tensor

from graders.check_api.compare import require
from graders.check_api.describe import kind
from graders.language import tr

SIDE = 0.02  # of the figure: panels whose upper sides are nearer than that stand in one row


@dataclass(frozen=True, eq=False)
class Panel:
    """Axes that show an array, as an image or as a mesh.

    Attributes:
        array: what is shown.
        columns: the labels below, by the column at whose middle they stand.
        rows: the labels at the side, by the row at whose middle they stand.
    """

    array: Tensor
    columns: dict[int, str]
    rows: dict[int, str]


def panels_of(answer: Any) -> list[Panel]:
    """The panels of a figure, as one reads: row by row, from the left.

    A figure may also be the first of a tuple, and a function that returns nothing is taken to mean the figure
    that it has opened: `returns_a_figure` is about that.

    Raises:
        Violation: there is no figure.
    """
    described = answer if isinstance(answer, dict) and answer.keys() == {"returned", "panels"} else {}
    message = tr("there should be a figure of matplotlib, but there is {kind}", kind=kind(answer))
    panels: Any = described.get("panels")
    require(isinstance(panels, list) and all(map(_is_panel, panels)), message)
    placed = sorted(panels, key=lambda panel: (round(panel["place"][0] / SIDE), panel["place"][1]))
    return [Panel(p["array"], _by_place(p["columns"]), _by_place(p["rows"])) for p in placed]


def returns_a_figure(answer: Any) -> None:
    """Require that a figure came back, and was not only drawn.

    Raises:
        Violation: it did not.
    """
    panels_of(answer)
    require(answer["returned"] is True, tr("the figure is drawn but not returned: is a return missing?"))


def _is_panel(value: Any) -> bool:
    """Whether untrusted data describe a panel."""
    if not isinstance(value, dict) or value.keys() != {"array", "columns", "rows", "place"}:
        return False
    place = value["place"]
    placed = isinstance(place, list) and len(place) == 2 and all(type(number) is float for number in place)
    return placed and isinstance(value["array"], Tensor) and _are_labels(value["columns"], value["rows"])


def _are_labels(*axes: Any) -> bool:
    pairs = [pair for axis in axes for pair in (axis if isinstance(axis, list) else [None])]
    return all(
        isinstance(pair, list) and len(pair) == 2 and type(pair[0]) is float and type(pair[1]) is str
        for pair in pairs
    )


def _by_place(pairs: list[Any]) -> dict[int, str]:
    """The labels that stand at the middle of a row or column, by its number; empty ones are none."""
    near = [(place, text) for place, text in pairs if abs(place) < 1e6 and abs(place - round(place)) < SIDE]
    return {round(place): text for place, text in near if text}
