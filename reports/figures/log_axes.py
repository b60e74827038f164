"""A plot against the length S on two logarithmic axes, with the names of its lines at their right ends."""

import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from graders.language import tr
from reports.figures.svg import INK

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

WIDTH, HEIGHT = 300, 230  # points
ACROSS, UP = 0.6, 0.78  # the shares of these that the axes take: the rest is for names and numbers
LINE = 11  # points between two names


@dataclass(frozen=True)
class LineEnd:
    """The name of a line, and the value at its right end."""

    name: str
    value: float
    colour: str


def plot_against_length(
    lengths: Sequence[int], low: float, high: float, write: Callable[[float], str]
) -> tuple["Figure", "Axes"]:
    """An empty plot for values from `low` to `high`, which `write` writes beside the axis."""
    from matplotlib.figure import Figure

    chart = Figure(figsize=(WIDTH / 72, HEIGHT / 72))
    axes = chart.add_axes((0.17, 0.18, ACROSS, UP))
    axes.set_xscale("log", base=2)
    axes.set_yscale("log")
    for side in ("top", "right"):
        axes.spines[side].set_visible(False)
    for side in ("left", "bottom"):
        axes.spines[side].set_color(INK)
        axes.spines[side].set_linewidth(0.6)
    axes.tick_params(which="both", length=3, width=0.6, color=INK, labelsize=8, labelcolor=INK)
    axes.set_xticks(lengths, [str(length) for length in lengths])
    axes.set_xlim(lengths[0] / 1.2, lengths[-1] * 1.2)
    axes.set_ylim(low, high)
    ticks = _ticks(low, high)
    axes.set_yticks(ticks, [write(tick * 1.0000001) for tick in ticks])
    axes.minorticks_off()
    axes.set_xlabel(tr("length S"), fontsize=9, color=INK)
    return chart, axes


def name_lines(axes: "Axes", ends: Iterable[LineEnd]) -> None:
    """Write the names at the right ends of the lines, moved apart so that they do not overlap."""
    label_height = -1000.0
    low, high = axes.get_ylim()
    for end in sorted(ends, key=lambda end: end.value):
        height = UP * HEIGHT * math.log(end.value / low) / math.log(high / low)
        label_height = max(height, label_height + LINE)
        axes.annotate(
            end.name,
            (1, 0),
            (5, label_height),
            "axes fraction",
            "offset points",
            va="center",
            fontsize=8.5,
            color=end.colour,
        )


def _ticks(low: float, high: float) -> list[float]:
    """Round values: 1 and 3 of each power of ten, or, over many of these, 1 alone."""
    digits = (1, 3) if high / low < 1e4 else (1,)
    powers = range(math.floor(math.log10(low)), math.ceil(math.log10(high)) + 1)
    values = [digit * 10.0**power for power in powers for digit in digits]
    return [value for value in values if low <= value <= high]
