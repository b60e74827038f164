"""Heat maps of what was expected and what came, and the distribution of a class's points, as inline SVG."""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from markupsafe import Markup

from graders.language import Language, spoken, tr, translatable, trn
from graders.results.case import Case, TensorView
from reports.figures.slices import Matrix, difference, matrix
from reports.figures.svg import ACCENT, INK, PAPER, drawn
from reports.words import evenly, figure, points

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

DOTS = 8  # submissions in a step of a histogram; where there are more, all are bars
KEPT = 256  # pairs of pictures, some ten kilobytes each
TITLES = {"expected": translatable("expected"), "yours": translatable("yours")}
PRINTED = 8  # a matrix of at most so many rows and columns has its values in its cells
_POINT = 1 / 72  # of an inch: one unit of the SVG

_Colour = tuple[float, ...] | None  # red, green, blue and alpha from 0 to 1
_Colours = list[list[_Colour]]


@dataclass(frozen=True)
class Scale:
    """The colours of two pictures: the same value has the same colour in both."""

    low: float
    high: float

    @property
    def signed(self) -> bool:
        """Whether zero lies within, and is the colours' middle."""
        return self.low < 0 < self.high

    def shade(self, value: float) -> float:
        """Where a finite value lies, from 0 to 1."""
        if self.signed:
            return 0.5 + 0.5 * value / max(-self.low, self.high)
        # Halves, because the difference of two large floats may overflow.
        span = self.high / 2 - self.low / 2
        return 0.5 if span == 0 else min(1.0, max(0.0, (value / 2 - self.low / 2) / span))


@dataclass(frozen=True)
class Picture:
    """One matrix: what it is, which part of which tensor, and its SVG."""

    title: str
    part: str
    svg: Markup


@dataclass(frozen=True)
class Pair:
    """Pictures side by side, the sentence below them, and the colours' ends."""

    pictures: tuple[Picture, ...]
    caption: str | None
    low: str
    high: str
    colours: str


def pair(case: Case, prefix: str) -> Pair | None:
    """Heat maps of a case's tensors, as many of the two as there are; None where there are none.

    Args:
        case: with `expected`, `actual`, or both.
        prefix: makes the ids in the SVG unique on the page.
    """
    return _pair(case, prefix, spoken())


# Kept: who makes the same mistake sees the same pictures, and a page costs little else.
@lru_cache(KEPT)
def _pair(case: Case, prefix: str, language: Language) -> Pair | None:  # noqa: ARG001 - the words' language
    maps = [
        (which, view, found)
        for which, view in (("expected", case.expected), ("yours", case.actual))
        if view is not None and (found := matrix(view, case.worst)) is not None
    ]
    if not maps:
        return None
    scale = _scale([found for _, _, found in maps])
    written = evenly([value for _, _, found in maps for value in found.known])
    pictures = tuple(
        Picture(
            tr(TITLES[which]),
            _part(view, found),
            drawn(_heat_map(found, scale, written), f"{prefix}-{which}", _label(tr(TITLES[which]), found)),
        )
        for which, view, found in maps
    )
    return Pair(pictures, difference(case), figure(scale.low), figure(scale.high), _gradient(scale))


def distribution(values: Sequence[float], most: float, prefix: str = "distribution") -> Markup:
    """A histogram of a class's points, from 0 to `most`: bars, or a dot for each where they are few."""
    counts = [count for _, _, count in bins(values, most)]
    highest = max([*counts, 1])
    few = highest <= DOTS
    top = highest + 1.2 if few else highest * 1.15
    chart, axes = _blank(34 * len(counts), 13 * top if few else 120, left=8, bottom=18, right=8)
    edges = [low for low, _, _ in bins(values, most)] + [most]
    if few:
        _dots(axes, counts)
    else:
        axes.bar(range(len(counts)), counts, width=0.86, align="edge", color=ACCENT)
    axes.set_xlim(-0.1, len(counts))
    axes.set_ylim(0, top)
    axes.set_xticks([i - 0.07 for i in range(len(edges))], [points(edge) for edge in edges])
    axes.set_yticks([])
    for i, count in enumerate(counts):
        if count:
            axes.text(i + 0.43, count, str(count), ha="center", va="bottom", color=INK, fontsize=9)
    label = tr(
        "histogram of points from 0 to {most}; the table beside it has the same numbers", most=points(most)
    )
    return drawn(chart, prefix, label)


def bins(values: Sequence[float], most: float) -> list[tuple[float, float, int]]:
    """At most ten equal steps from 0 to `most`, and how many values each holds; the last holds `most`."""
    step = max(1, math.ceil(most / 10))
    number = max(1, math.ceil(most / step))
    counts = [0] * number
    for value in values:
        counts[min(number - 1, max(0, int(value // step)))] += 1
    return [(i * step, min((i + 1) * step, most), count) for i, count in enumerate(counts)]


def _dots(axes: "Axes", counts: Sequence[int]) -> None:
    from matplotlib.patches import Ellipse

    for i, count in enumerate(counts):
        for n in range(count):
            axes.add_patch(Ellipse((i + 0.43, n + 0.5), 10 / 34, 10 / 13, color=ACCENT, linewidth=0))


def _part(view: TensorView, found: Matrix) -> str:
    shape = f"({', '.join(map(str, view.shape))}{',' if len(view.shape) == 1 else ''})"
    named = shape if found.whole else tr("{part} of {shape}", part=found.named(), shape=shape)
    if len(found.known) < found.rows * found.columns:
        return tr("{tensor}, blank where too long to keep", tensor=f"{named} {view.dtype}")
    return f"{named} {view.dtype}"


def _label(title: str, found: Matrix) -> str:
    rows = trn("{n} row", "{n} rows", found.rows)
    columns = trn("{n} column", "{n} columns", found.columns)
    label = tr("heat map, {title}: {rows} and {columns}", title=title, rows=rows, columns=columns)
    if found.finite:
        low, high = figure(min(found.finite)), figure(max(found.finite))
        label += tr(", values from {low} to {high}", low=low, high=high)
    if strange := len(found.known) - len(found.finite):
        label += trn(", {n} not finite", ", {n} not finite", strange)
    if found.framed is not None:
        r, c = found.framed
        value = found.cells[r][c]
        label += tr("; framed: row {row}, column {column}", row=found.top + r, column=found.left + c)
        label += "" if value is None else f", {figure(value)}"
    return label


def _scale(found: Sequence[Matrix]) -> Scale:
    finite = [value for m in found for value in m.finite] or [0.0]
    return Scale(min(finite), max(finite))


def _heat_map(found: Matrix, scale: Scale, written: Callable[[float], str]) -> "Figure":
    printed = found.rows <= PRINTED and found.columns <= PRINTED
    wide, high = (42 if found.columns < 6 else 36, 25) if printed else (max(6, 240 // found.columns),) * 2
    margin = 14 if found.rows > 1 or found.columns > 1 else 2
    chart, axes = _blank(wide * found.columns, high * found.rows, left=margin, top=margin)
    colours = [[_colour(value, scale) for value in row] for row in found.cells]
    axes.imshow(_pixels(colours), interpolation="none", aspect="auto")
    _number(axes, found, margin > 2)
    if printed:
        _print(axes, found, colours, written)
    if found.framed is not None:
        _frame(axes, *found.framed)
    return chart


def _blank(
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


def _number(axes: "Axes", found: Matrix, numbered: bool) -> None:
    axes.xaxis.tick_top()
    axes.set_xticks(_ticks(found.columns) if numbered else [], labels=None)
    axes.set_yticks(_ticks(found.rows) if numbered else [], labels=None)
    axes.set_xticklabels([str(found.left + i) for i in axes.get_xticks()])
    axes.set_yticklabels([str(found.top + i) for i in axes.get_yticks()])
    axes.set_xlim(-0.5, found.columns - 0.5)
    axes.set_ylim(found.rows - 0.5, -0.5)


def _ticks(count: int) -> list[int]:
    return list(range(0, count, 1 if count <= PRINTED else 4 if count <= 16 else 8))


def _print(axes: "Axes", found: Matrix, colours: _Colours, written: Callable[[float], str]) -> None:
    for r, row in enumerate(found.cells):
        for c, value in enumerate(row):
            if value is not None:
                ink = _readable(colours[r][c])
                axes.text(c, r, written(value), ha="center", va="center_baseline", color=ink, fontsize=9)


def _frame(axes: "Axes", row: int, column: int) -> None:
    from matplotlib.patches import Rectangle

    # A light line within a dark one, or the other way round: one of them is seen on any colour.
    for colour, width in ((INK, 3.6), (PAPER, 1.2)):
        corner = column - 0.5, row - 0.5
        axes.add_patch(
            Rectangle(corner, 1, 1, fill=False, edgecolor=colour, linewidth=width, clip_on=False, zorder=3)
        )


def _colour(value: float | None, scale: Scale) -> _Colour:
    if value is None or not math.isfinite(value):
        return None
    return _at(scale, scale.shade(value))


def _at(scale: Scale, shade: float) -> tuple[float, ...]:
    from matplotlib import colormaps

    colour = colormaps["coolwarm" if scale.signed else "viridis"](shade)
    return tuple(float(part) for part in colour)


def _gradient(scale: Scale) -> str:
    ends = (scale.shade(scale.low), scale.shade(scale.high))
    shades = [ends[0] + (ends[1] - ends[0]) * i / 6 for i in range(7)]
    stops = ["#" + "".join(f"{round(255 * part):02x}" for part in _at(scale, s)[:3]) for s in shades]
    return f"linear-gradient(90deg, {', '.join(stops)})"


def _pixels(colours: _Colours) -> Any:
    import numpy

    clear = (0.5, 0.5, 0.5, 0.25)  # what has no colour: NaN, infinities, values not kept
    rows = [[255 * part for part in colour or clear] for row in colours for colour in row]
    return numpy.array(rows).reshape(len(colours), -1, 4).round().astype("uint8")


def _readable(colour: _Colour) -> str:
    if colour is None:
        return INK
    red, green, blue = colour[:3]
    # Not #000000, which matplotlib leaves out as the default: the page has another.
    return "#111111" if 0.299 * red + 0.587 * green + 0.114 * blue > 0.5 else "#ffffff"
