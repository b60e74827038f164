"""Inline SVG: heat maps of the expected and the actual tensor, and the histogram of a class's points."""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from markupsafe import Markup

from graders.language import Language, current_language, number, tr, translatable, trn
from graders.results.case import Case, TensorView
from reports.figures.slices import Matrix, choose_window, difference
from reports.figures.svg import ACCENT, INK, PAPER, render_svg
from reports.words import evenly, figure, figures, points

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

MAX_DOTS = 8  # in a bin of a histogram; with more submissions in any bin, all bins are bars
CACHED_PAIRS = 256  # some ten kilobytes each
TITLES = {"expected": translatable("expected"), "yours": translatable("yours")}
MAX_PRINTED_SIDE = 8  # rows and columns of a matrix whose values are printed in its cells
MAX_LARGE = 5  # characters of a value in large type
_POINT = 1 / 72  # of an inch: one unit of the SVG

_Colour = tuple[float, ...] | None  # red, green, blue and alpha from 0 to 1
_Colours = list[list[_Colour]]


@dataclass(frozen=True)
class Scale:
    """The colour scale that two pictures share."""

    low: float
    high: float

    @property
    def signed(self) -> bool:
        """Whether zero lies within the range; it is then the middle of the colours."""
        return self.low < 0 < self.high

    def shade(self, value: float) -> float:
        """The position of a finite value on the scale, from 0 to 1."""
        if self.signed:
            return 0.5 + 0.5 * value / max(-self.low, self.high)
        # Halves, because the difference of two large floats may overflow.
        span = self.high / 2 - self.low / 2
        return 0.5 if span == 0 else min(1.0, max(0.0, (value / 2 - self.low / 2) / span))


@dataclass(frozen=True)
class Picture:
    """One matrix: its title, the part of the tensor that it shows, and its SVG."""

    title: str
    part: str
    svg: Markup


@dataclass(frozen=True)
class Pair:
    """Pictures side by side, the caption below them, and the ends of the colour scale."""

    pictures: tuple[Picture, ...]
    caption: str | None
    low: str
    high: str
    colours: str


def pair(case: Case, prefix: str) -> Pair | None:
    """Heat maps of the expected and the actual tensor, where the case has them; None where it has neither.

    Args:
        case: with `expected`, `actual`, or both.
        prefix: makes the ids in the SVG unique on the page.
    """
    return _pair(case, prefix, current_language())


# Cached: students with the same mistake get the same pictures, and drawing is most of the cost of a page.
@lru_cache(CACHED_PAIRS)
def _pair(case: Case, prefix: str, language: Language) -> Pair | None:  # noqa: ARG001 - a part of the cache key
    maps = [
        (which, view, window)
        for which, view in (("expected", case.expected), ("yours", case.actual))
        if view is not None and (window := choose_window(view, case.worst)) is not None
    ]
    if not maps:
        return None
    scale = _scale([window for _, _, window in maps])
    worst = [value for _, _, window in maps if (value := window.framed_value) is not None]
    write_value = evenly([value for _, _, window in maps for value in window.known], worst)
    pictures = tuple(
        Picture(
            tr(TITLES[which]),
            _describe_part(view, window),
            render_svg(
                _heat_map(window, scale, write_value),
                f"{prefix}-{which}",
                _describe(tr(TITLES[which]), window),
            ),
        )
        for which, view, window in maps
    )
    low, high = figures(scale.low, scale.high)
    return Pair(pictures, difference(case), low, high, gradient(scale))


def distribution(values: Sequence[float], max_points: float, prefix: str = "distribution") -> Markup:
    """A histogram of a class's points from 0 to `max_points`: bars, or dots if they are few."""
    counts = [count for _, _, count in bins(values, max_points)]
    highest = max([*counts, 1])
    as_dots = highest <= MAX_DOTS
    top = highest + 1.2 if as_dots else highest * 1.15
    chart, axes = _blank_chart(34 * len(counts), 13 * top if as_dots else 120, left=8, bottom=18, right=8)
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


def _describe_part(view: TensorView, window: Matrix) -> str:
    shape = f"({', '.join(map(str, view.shape))}{',' if len(view.shape) == 1 else ''})"
    name = shape if window.whole else tr("{part} of {shape}", part=window.named(), shape=shape)
    if len(window.known) < window.rows * window.columns:
        return tr("{tensor}, blank where too long to keep", tensor=f"{name} {view.dtype}")
    return f"{name} {view.dtype}"


def _describe(title: str, window: Matrix) -> str:
    rows = trn("{n} row", "{n} rows", window.rows)
    columns = trn("{n} column", "{n} columns", window.columns)
    label = tr("heat map, {title}: {rows} and {columns}", title=title, rows=rows, columns=columns)
    if window.finite:
        low, high = figure(min(window.finite)), figure(max(window.finite))
        label += tr(", values from {low} to {high}", low=low, high=high)
    if strange := len(window.known) - len(window.finite):
        label += trn(", {n} not finite", ", {n} not finite", strange)
    if window.framed is not None:
        r, c = window.framed
        value = window.cells[r][c]
        label += tr("; framed: row {row}, column {column}", row=window.top + r, column=window.left + c)
        label += "" if value is None else f", {figure(value)}"
    return label


def _scale(windows: Sequence[Matrix]) -> Scale:
    finite = [value for window in windows for value in window.finite] or [0.0]
    return Scale(min(finite), max(finite))


def _heat_map(window: Matrix, scale: Scale, write_value: Callable[[float], str]) -> "Figure":
    is_printed = window.rows <= MAX_PRINTED_SIDE and window.columns <= MAX_PRINTED_SIDE
    wide, high = (
        (42 if window.columns < 6 else 36, 25) if is_printed else (max(6, 240 // window.columns),) * 2
    )
    margin = 14 if window.rows > 1 or window.columns > 1 else 2
    chart, axes = _blank_chart(wide * window.columns, high * window.rows, left=margin, top=margin)
    colours = [[_colour(value, scale) for value in row] for row in window.cells]
    axes.imshow(_pixels(colours), interpolation="none", aspect="auto")
    _number_axes(axes, window, margin > 2)
    if is_printed:
        _print_values(axes, window, colours, write_value)
    if window.framed is not None:
        _draw_frame(axes, *window.framed)
    return chart


def _blank_chart(
    width: float, height: float, left: float = 2, bottom: float = 2, top: float = 2, right: float = 2
) -> tuple["Figure", "Axes"]:
    from matplotlib.figure import Figure

    whole_width, whole_height = width + left + right, height + bottom + top
    chart = Figure(figsize=(whole_width * _POINT, whole_height * _POINT))
    place = left / whole_width, bottom / whole_height, width / whole_width, height / whole_height
    axes = chart.add_axes(place)
    axes.set_frame_on(False)
    axes.tick_params(length=0, pad=3, labelsize=8, labelcolor=INK)
    return chart, axes


def _number_axes(axes: "Axes", window: Matrix, numbered: bool) -> None:
    axes.xaxis.tick_top()
    axes.set_xticks(_ticks(window.columns) if numbered else [], labels=None)
    axes.set_yticks(_ticks(window.rows) if numbered else [], labels=None)
    axes.set_xticklabels([str(window.left + i) for i in axes.get_xticks()])
    axes.set_yticklabels([str(window.top + i) for i in axes.get_yticks()])
    axes.set_xlim(-0.5, window.columns - 0.5)
    axes.set_ylim(window.rows - 0.5, -0.5)


def _ticks(count: int) -> list[int]:
    return list(range(0, count, 1 if count <= MAX_PRINTED_SIDE else 4 if count <= 16 else 8))


def _print_values(
    axes: "Axes", window: Matrix, colours: _Colours, write_value: Callable[[float], str]
) -> None:
    for r, row in enumerate(window.cells):
        for c, value in enumerate(row):
            if value is not None:
                ink, text = _readable(colours[r][c]), write_value(value)
                size = 9 if len(text) <= MAX_LARGE else 8
                axes.text(c, r, text, ha="center", va="center_baseline", color=ink, fontsize=size)


def _draw_frame(axes: "Axes", row: int, column: int) -> None:
    from matplotlib.patches import Rectangle

    # A line of one colour within a line of the other: one of the two is visible on any background.
    for colour, width in ((INK, 3.6), (PAPER, 1.2)):
        corner = column - 0.5, row - 0.5
        axes.add_patch(
            Rectangle(corner, 1, 1, fill=False, edgecolor=colour, linewidth=width, clip_on=False, zorder=3)
        )


def _colour(value: float | None, scale: Scale) -> _Colour:
    if value is None or not math.isfinite(value):
        return None
    return colour_at(scale, scale.shade(value))


def colour_at(scale: Scale, shade: float) -> tuple[float, ...]:
    """The colour at a place of the scale, from 0 to 1: red, green, blue and alpha."""
    from matplotlib import colormaps

    colour = colormaps["coolwarm" if scale.signed else "viridis"](shade)
    return tuple(float(part) for part in colour)


def gradient(scale: Scale) -> str:
    """The colours of the scale, from its low to its high end, for CSS."""
    ends = (scale.shade(scale.low), scale.shade(scale.high))
    shades = [ends[0] + (ends[1] - ends[0]) * i / 6 for i in range(7)]
    stops = ["#" + "".join(f"{round(255 * part):02x}" for part in colour_at(scale, s)[:3]) for s in shades]
    return f"linear-gradient(90deg, {', '.join(stops)})"


def _pixels(colours: _Colours) -> Any:
    import numpy

    no_colour = (0.5, 0.5, 0.5, 0.25)  # for NaN, infinities and values that were not kept
    rows = [[255 * part for part in colour or no_colour] for row in colours for colour in row]
    return numpy.array(rows).reshape(len(colours), -1, 4).round().astype("uint8")


def _readable(colour: _Colour) -> str:
    if colour is None:
        return INK
    red, green, blue = colour[:3]
    # Not #000000: matplotlib omits it as its default, and the page has another default.
    return "#111111" if 0.299 * red + 0.587 * green + 0.114 * blue > 0.5 else "#ffffff"
