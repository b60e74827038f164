"""Heat maps of the expected and the actual tensor, as inline SVG or as a notebook keeps them."""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache

from markupsafe import Markup

from graders.language import Language, current_language, tr, translatable, trn
from graders.results.case import Case, TensorView
from reports.figures import png
from reports.figures.colour_scale import Colour, Scale, colour_at, gradient, in_css
from reports.figures.slices import Matrix, choose_window, difference
from reports.figures.value_tables import tabulate
from reports.figures.written_svg import INK, PAPER, as_image, picture, text
from reports.words import evenly, figure, figures

CACHED_PAIRS = 256  # some ten kilobytes each
TITLES = {"expected": translatable("expected"), "yours": translatable("yours")}
MAX_PRINTED_SIDE = 8  # rows and columns of a matrix whose values are printed in its cells
MAX_LARGE = 5  # characters of a value in large type
CHARACTER = 5  # the width of one in small type
MARGIN, NUMBERED = 2, 14  # points around the cells; where their rows and columns are numbered
SMALL, LARGE = 8, 9  # points of numbers
GAP, GAP_ABOVE = 3, 5  # points between a number and the cells beside it, or below it
MIDDLE = 0.35  # of a letter's size: from the middle of a cell down to the line on which a number stands
DARK, LIGHT = "#000000", "#ffffff"  # inks on colours: one of them has a contrast of 4.5 on each
NO_COLOUR = bytes((128, 128, 128, 64))  # for NaN, infinities and values that were not kept

_Colours = list[list[Colour | None]]


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


def pair(case: Case, *, sanitized: bool = False) -> Pair | None:
    """Heat maps of the expected and the actual tensor, where the case has them; None where it has neither.

    Args:
        case: with `expected`, `actual`, or both.
        sanitized: whether a viewer may remove SVG and styles: small matrices are tables then, others images.
    """
    return _pair(case, sanitized, current_language())


# Cached: students with the same mistake get the same pictures, and drawing is most of the cost of a page.
@lru_cache(CACHED_PAIRS)
def _pair(case: Case, sanitized: bool, language: Language) -> Pair | None:  # noqa: ARG001 - a part of the cache key
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
            draw(window, scale, write_value, _describe(tr(TITLES[which]), window)),
        )
        for which, view, window in maps
    )
    low, high = figures(scale.low, scale.high)
    plain = sanitized and all(_is_printed(window) for _, _, window in maps)
    return Pair(pictures, difference(case), low, high, None if plain else gradient(scale))


def _draw_sanitized(window: Matrix, scale: Scale, write_value: Callable[[float], str], label: str) -> Markup:
    if not _is_printed(window):
        return as_image(_draw(window, scale, write_value, label), label)

    def colours(value: float) -> tuple[str, str]:
        colour = _colour(value, scale)
        return ("transparent", "inherit") if colour is None else (in_css(colour), _readable(colour))

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


def _draw(window: Matrix, scale: Scale, write_value: Callable[[float], str], label: str) -> Markup:
    is_printed = _is_printed(window)
    if is_printed:
        longest = max((len(write_value(value)) for value in window.known), default=0)
        wide, high = max(42 if window.columns < 6 else 36, CHARACTER * longest), 25
    else:
        wide = high = max(6, 240 // window.columns)
    margin = NUMBERED if window.rows > 1 or window.columns > 1 else MARGIN
    grid = _Grid(left=margin, top=margin, wide=wide, high=high)
    colours = [[_colour(value, scale) for value in row] for row in window.cells]
    drawn = _pixels(grid, window, colours)
    if margin == NUMBERED:
        drawn += _numbers(grid, window)
    if is_printed:
        drawn += _values(grid, window, colours, write_value)
    if window.framed is not None:
        drawn += _frame(grid, *window.framed)
    width, height = margin + wide * window.columns + MARGIN, margin + high * window.rows + MARGIN
    return picture(drawn, width, height, label)


@dataclass(frozen=True, kw_only=True)
class _Grid:
    """Where the cells of a picture lie, in points."""

    left: float
    top: float
    wide: float
    high: float

    def middle(self, row: int, column: int) -> tuple[float, float]:
        """The middle of a cell."""
        return self.left + self.wide * (column + 0.5), self.top + self.high * (row + 0.5)


def _pixels(grid: _Grid, window: Matrix, colours: _Colours) -> str:
    rows = [
        b"".join(NO_COLOUR if colour is None else bytes((*map(round, colour), 255)) for colour in row)
        for row in colours
    ]
    return (
        f'<image x="{grid.left}" y="{grid.top}" width="{grid.wide * window.columns}" '
        f'height="{grid.high * window.rows}" preserveAspectRatio="none" style="image-rendering: pixelated" '
        f'xlink:href="data:image/png;base64,{png.with_alpha(rows, window.columns)}"/>'
    )


def _numbers(grid: _Grid, window: Matrix) -> str:
    columns = "".join(
        text(window.left + c, grid.middle(0, c)[0], grid.top - GAP_ABOVE) for c in _ticks(window.columns)
    )
    rows = "".join(
        text(window.top + r, grid.left - GAP, grid.middle(r, 0)[1] + MIDDLE * SMALL)
        for r in _ticks(window.rows)
    )
    return (
        f'<g font-size="{SMALL}" text-anchor="middle">{columns}</g>'
        f'<g font-size="{SMALL}" text-anchor="end">{rows}</g>'
    )


def _ticks(count: int) -> list[int]:
    return list(range(0, count, 1 if count <= MAX_PRINTED_SIDE else 4 if count <= 16 else 8))


def _values(grid: _Grid, window: Matrix, colours: _Colours, write_value: Callable[[float], str]) -> str:
    texts = []
    for r, row in enumerate(window.cells):
        for c, value in enumerate(row):
            if value is not None:
                written = write_value(value)
                size = LARGE if len(written) <= MAX_LARGE else SMALL
                x, y = grid.middle(r, c)
                further = f' font-size="{size}" fill="{_readable(colours[r][c])}"'
                texts.append(text(written, x, y + MIDDLE * size, further))
    return f'<g text-anchor="middle">{"".join(texts)}</g>'


def _frame(grid: _Grid, row: int, column: int) -> str:
    """A line of one colour within a line of the other: one of the two is visible on any background."""
    x, y = grid.left + grid.wide * column, grid.top + grid.high * row
    return "".join(
        f'<rect x="{x}" y="{y}" width="{grid.wide}" height="{grid.high}" fill="none" stroke="{colour}" '
        f'stroke-width="{width}"/>'
        for colour, width in ((INK, 3.6), (PAPER, 1.2))
    )


def _colour(value: float | None, scale: Scale) -> Colour | None:
    if value is None or not math.isfinite(value):
        return None
    return colour_at(scale, scale.shade(value))


def _readable(colour: Colour | None) -> str:
    """The ink that can be read on a colour."""
    if colour is None:
        return INK
    return max(DARK, LIGHT, key=lambda ink: _contrast(ink, colour))


def _contrast(ink: str, colour: Colour) -> float:
    """The contrast of an ink on a colour, from 1 to 21, as WCAG 2 defines it."""
    first, second = _luminance(tuple(bytes.fromhex(ink[1:]))), _luminance(colour)
    return (max(first, second) + 0.05) / (min(first, second) + 0.05)


def _luminance(colour: Sequence[float]) -> float:
    linear = [c / 3294.6 if c <= 10 else ((c / 255 + 0.055) / 1.055) ** 2.4 for c in colour]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]
