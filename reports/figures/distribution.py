"""Inline SVG: the histogram of a class's points."""

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING

from markupsafe import Markup

from graders.language import number, tr
from reports.figures.heat_maps import blank_chart
from reports.figures.svg import ACCENT, INK, render_svg
from reports.words import points

if TYPE_CHECKING:
    from matplotlib.axes import Axes

MAX_DOTS = 8  # in a bin; with more submissions in any bin, all bins are bars


def distribution(values: Sequence[float], max_points: float, prefix: str = "distribution") -> Markup:
    """A histogram of a class's points from 0 to `max_points`: bars, or dots if they are few."""
    counts = [count for _, _, count in bins(values, max_points)]
    highest = max([*counts, 1])
    as_dots = highest <= MAX_DOTS
    top = highest + 1.2 if as_dots else highest * 1.15
    chart, axes = blank_chart(34 * len(counts), 13 * top if as_dots else 120, left=8, bottom=18, right=8)
    edges = [low for low, _, _ in bins(values, max_points)] + [max_points]
    if as_dots:
        _dots(axes, counts)
    else:
        axes.bar(range(len(counts)), counts, width=0.86, align="edge", color=ACCENT)
    axes.set_xlim(-0.1, len(counts))
    axes.set_ylim(0, top)
    axes.set_xticks([i - 0.07 for i in range(len(edges))], [points(edge) for edge in edges])
    axes.set_yticks([])
    for i, count in enumerate(counts):
        if count:
            axes.text(i + 0.43, count, number(count, ","), ha="center", va="bottom", color=INK, fontsize=9)
    label = tr(
        "histogram of points from 0 to {most}; the table beside it has the same numbers",
        most=points(max_points),
    )
    return render_svg(chart, prefix, label)


def bins(values: Sequence[float], max_points: float) -> list[tuple[float, float, int]]:
    """At most ten equal bins from 0 to `max_points` with their counts; the last includes `max_points`."""
    step = max(1, math.ceil(max_points / 10))
    last = max(1, math.ceil(max_points / step)) - 1
    counts = [0] * (last + 1)
    for value in values:
        counts[min(last, max(0, int(value // step)))] += 1
    return [(i * step, min((i + 1) * step, max_points), count) for i, count in enumerate(counts)]


def _dots(axes: "Axes", counts: Sequence[int]) -> None:
    from matplotlib.patches import Ellipse

    for i, count in enumerate(counts):
        for n in range(count):
            axes.add_patch(Ellipse((i + 0.43, n + 0.5), 10 / 34, 10 / 13, color=ACCENT, linewidth=0))
