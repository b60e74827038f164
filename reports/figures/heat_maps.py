"""Heat maps of the expected and the actual tensor, as inline SVG or as a notebook keeps them."""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from markupsafe import Markup

from graders.language import Language, current_language, tr, translatable, trn
from graders.results.case import Case, TensorView
from reports.figures.slices import Matrix, choose_window, difference
from reports.figures.svg import INK, PAPER, as_image, render_svg
from reports.figures.value_tables import tabulate
from reports.words import evenly, figure, figures

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

CACHED_PAIRS = 256  # some ten kilobytes each
TITLES = {"expected": translatable("expected"), "yours": translatable("yours")}
MAX_PRINTED_SIDE = 8  # rows and columns of a matrix whose values are printed in its cells
MAX_LARGE = 5  # characters of a value in large type
CHARACTER = 5  # the width of one in small type
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
    """One matrix: its title, the part of the tensor that it shows, and its drawing as HTML."""

    title: str
    part: str
    drawing: Markup


@dataclass(frozen=True)
class Pair:
    """Pictures side by side, the caption below them, and the ends of the scale of `colours`, if any."""

    pictures: tuple[Picture, ...]
    caption: str | None
    low: str
    high: str
    colours: str | None


def pair(case: Case, prefix: str, *, sanitized: bool = False) -> Pair | None:
    """Heat maps of the expected and the actual tensor, where the case has them; None where it has neither.

    Args:
        case: with `expected`, `actual`, or both.
        prefix: makes the ids in the SVG unique on the page.
        sanitized: whether a viewer may remove SVG and styles: small matrices are tables then, others images.
    """
    return _pair(case, prefix, sanitized, current_language())


# Cached: students with the same mistake get the same pictures, and drawing is most of the cost of a page.
@lru_cache(CACHED_PAIRS)
def _pair(case: Case, prefix: str, sanitized: bool, language: Language) -> Pair | None:  # noqa: ARG001 - a part of the cache key
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
    draw = _draw_sanitized if sanitized else _draw
    pictures = tuple(
        Picture(
            tr(TITLES[which]),
            _describe_part(view, window),
            draw(window, scale, write_value, f"{prefix}-{which}", _describe(tr(TITLES[which]), window)),
        )
        for which, view, window in maps
    )
    low, high = figures(scale.low, scale.high)
    plain = sanitized and all(_is_printed(window) for _, _, window in maps)
    return Pair(pictures, difference(case), low, high, None if plain else gradient(scale))


def _draw(
    window: Matrix, scale: Scale, write_value: Callable[[float], str], prefix: str, label: str
) -> Markup:
    return render_svg(_heat_map(window, scale, write_value), prefix, label)


def _draw_sanitized(
    window: Matrix, scale: Scale, write_value: Callable[[float], str], prefix: str, label: str
) -> Markup:
    if not _is_printed(window):
        return as_image(_draw(window, scale, write_value, prefix, label), label)

    def colours(value: float) -> tuple[str, str]:
        colour = _colour(value, scale)
        return ("transparent", "inherit") if colour is None else (_hex(colour), _readable(colour))

    return tabulate(window, label, write_value, colours)


def _is_printed(window: Matrix) -> bool:
    return window.rows <= MAX_PRINTED_SIDE and window.columns <= MAX_PRINTED_SIDE


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
    is_printed = _is_printed(window)
    if is_printed:
        longest = max((len(write_value(value)) for value in window.known), default=0)
        wide, high = max(42 if window.columns < 6 else 36, CHARACTER * longest), 25
    else:
        wide = high = max(6, 240 // window.columns)
    margin = 14 if window.rows > 1 or window.columns > 1 else 2
    chart, axes = blank_chart(wide * window.columns, high * window.rows, left=margin, top=margin)
    colours = [[_colour(value, scale) for value in row] for row in window.cells]
    axes.imshow(_pixels(colours), interpolation="none", aspect="auto")
    _number_axes(axes, window, margin > 2)
    if is_printed:
        _print_values(axes, window, colours, write_value)
    if window.framed is not None:
        _draw_frame(axes, *window.framed)
    return chart


def blank_chart(
    width: float, height: float, left: float = 2, bottom: float = 2, top: float = 2, right: float = 2
) -> tuple["Figure", "Axes"]:
    """A figure without a frame, of a size in points, with margins around the axes."""
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
    return f"linear-gradient(90deg, {', '.join(_hex(colour_at(scale, shade)) for shade in shades)})"


def _hex(colour: tuple[float, ...]) -> str:
    return "#" + "".join(f"{round(255 * part):02x}" for part in colour[:3])


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
