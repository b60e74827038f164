"""Inline SVG: the histogram of a class's points."""

import math
from collections.abc import Sequence

from markupsafe import Markup

from graders.language import number, tr
from reports.figures.written_svg import ACCENT, picture, text
from reports.words import points

MAX_DOTS = 8  # in a bin; with more submissions in any bin, all bins are bars
BIN, DOT, HEIGHT = 34, 13, 120  # points: the width of a bin, the height of a dot, and that of the bars
LEFT, RIGHT, TOP, BOTTOM = 8, 8, 2, 18  # the margins


def distribution(values: Sequence[float], max_points: float) -> Markup:
    """A histogram of a class's points from 0 to `max_points`: bars, or dots if they are few."""
    counted = bins(values, max_points)
    highest = max([1, *(count for _, _, count in counted)])
    as_dots = highest <= MAX_DOTS
    step = DOT if as_dots else HEIGHT / (1.15 * highest)  # points for each submission
    bottom = TOP + (DOT * (highest + 1.2) if as_dots else HEIGHT)
    drawn = "".join(
        _column(LEFT + BIN * number_of_bin, bottom, count, step, as_dots)
        for number_of_bin, (_, _, count) in enumerate(counted)
    )
    edges = [*(low for low, _, _ in counted), max_points]
    names = "".join(text(points(edge), LEFT + BIN * (i - 0.07), bottom + 11) for i, edge in enumerate(edges))
    label = tr(
        "histogram of points from 0 to {most}; the table beside it has the same numbers",
        most=points(max_points),
    )
    drawn += f'<g font-size="8" text-anchor="middle">{names}</g>'
    return picture(drawn, LEFT + BIN * len(counted) + RIGHT, bottom + BOTTOM, label)


def _column(x: float, bottom: float, count: int, step: float, as_dots: bool) -> str:
    """A bin: its dots or its bar, and how many submissions it counts above them."""
    if not count:
        return ""
    middle, high, dots = x + 0.43 * BIN, count * step, range(count if as_dots else 0)
    written = text(number(count, ","), middle, bottom - high - 2, ' font-size="9" text-anchor="middle"')
    drawn = "".join(f'<circle cx="{middle:.2f}" cy="{bottom - (n + 0.5) * step:.2f}" r="5"/>' for n in dots)
    if not as_dots:
        drawn = f'<rect x="{x}" y="{bottom - high:.2f}" width="{0.86 * BIN:.2f}" height="{high:.2f}"/>'
    return f'<g fill="{ACCENT}">{drawn}</g>{written}'


def bins(values: Sequence[float], max_points: float) -> list[tuple[float, float, int]]:
    """At most ten equal bins from 0 to `max_points` with their counts; the last includes `max_points`."""
    step = max(1, math.ceil(max_points / 10))
    last = max(1, math.ceil(max_points / step)) - 1
    counts = [0] * (last + 1)
    for value in values:
        counts[min(last, max(0, int(value // step)))] += 1
    return [(i * step, min((i + 1) * step, max_points), count) for i, count in enumerate(counts)]
