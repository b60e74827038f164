"""Inline SVG: who sees whom through layers of windows, with the number that is due and the student's own."""

from collections.abc import Iterator

from markupsafe import Markup, escape

from graders.language import number, tr
from graders.results.case import Reach

LEFT, RIGHT, TOP = 62, 56, 10  # CSS pixels: for the names of layers, for numbers, above the first row
WIDE, LEAST_CELL, CELL, ROW, BAR = 440, 6, 24, 34, 20
BESIDE = 6  # positions beside the ones that are seen, at most: an answer may be far too large
ARROWS = 160  # with more, only the outer ones are drawn
COLUMNS = 240  # of a drawing: no check draws stacks that need so many


def draw_reach(reach: Reach) -> Markup | None:
    """A row of dots for each layer, filled where the position at the top depends on it; None if too wide.

    Below the input, a line as long as it sees, and one as long as the student's answer.
    """
    radius = reach.seen[-1] // 2
    side = max(radius + 1, min(radius + BESIDE, reach.answer // 2))
    count = 2 * side + 1
    if count > COLUMNS:
        return None
    cell = max(LEAST_CELL, min(CELL, WIDE / count))
    middle = LEFT + cell * (side + 0.5)
    bottom = TOP + ROW * (len(reach.seen) - 1)
    width, height = LEFT + cell * count + RIGHT, bottom + 2 * BAR + 24
    lines = "".join(_line(*ends) for ends in _arrows(reach, middle, cell))
    dots = "".join(_rows(reach, middle, cell, side))
    limit = cell * count / 2
    bars = _bar(
        name=tr("expected"),
        length=reach.seen[-1],
        y=bottom + BAR + 8,
        middle=middle,
        cell=cell,
        limit=limit,
        colour="currentColor",
    )
    bars += _bar(
        name=tr("yours"),
        length=reach.answer,
        y=bottom + 2 * BAR + 8,
        middle=middle,
        cell=cell,
        limit=limit,
        colour="var(--accent)",
    )
    return Markup(  # noqa: S704 - numbers and our words
        f'<svg class="picture" role="img" aria-label="{escape(describe_reach(reach))}" '
        f'viewBox="0 0 {width:.0f} {height:.0f}" width="{width:.0f}" height="{height:.0f}" font-size="12" '
        f'xmlns="http://www.w3.org/2000/svg"><g stroke="currentColor" stroke-opacity="0.3">{lines}</g>'
        f"{dots}{bars}</svg>"
    )


def describe_reach(reach: Reach) -> str:
    """The drawing in words."""
    return tr(
        "who sees whom, with a window of {window} on each side: from the last layer to the input, the "
        "position at the top depends on {seen} positions; your answer is {answer}",
        window=reach.window,
        seen=", ".join(map(str, reach.seen)),
        answer=number(reach.answer, ","),
    )


def _rows(reach: Reach, middle: float, cell: float, side: int) -> Iterator[str]:
    """The dots and the name of each layer."""
    size = min(7.0, 0.36 * cell)
    for row, seen in enumerate(reach.seen):
        y, layer = TOP + ROW * row, len(reach.seen) - 1 - row
        name = tr("layer {n}", n=layer) if layer else tr("input")
        yield f'<text x="0" y="{y + 4}">{escape(name)}</text>'
        for place in range(-side, side + 1):
            look = (
                'fill="currentColor"'
                if abs(place) <= seen // 2
                else 'fill="none" stroke="currentColor" stroke-opacity="0.4"'
            )
            yield f'<circle cx="{middle + cell * place:.1f}" cy="{y}" r="{size:.1f}" {look}/>'


def _arrows(reach: Reach, middle: float, cell: float) -> Iterator[tuple[float, float, float, float]]:
    """From each position that counts to those that it sees in the layer below; if many, the outer ones."""
    several = sum(reach.seen[:-1]) * (2 * reach.window + 1) <= ARROWS
    for row, seen in enumerate(reach.seen[:-1]):
        y, radius = TOP + ROW * row, seen // 2
        for place in range(-radius, radius + 1) if several else {-radius, radius}:
            sees = range(-reach.window, reach.window + 1) if several else {-reach.window, reach.window}
            for step in sees:
                if several or abs(place + step) == radius + reach.window:
                    yield middle + cell * place, y, middle + cell * (place + step), y + ROW


def _line(x: float, y: float, to_x: float, to_y: float) -> str:
    return f'<line x1="{x:.1f}" y1="{y}" x2="{to_x:.1f}" y2="{to_y}"/>'


def _bar(name: str, length: int, y: float, middle: float, cell: float, limit: float, colour: str) -> str:
    """A line as long as so many positions, with its number; cut at both ends where it is too long."""
    half = min(limit, cell * max(0, length) / 2)
    text = f'<text x="{middle + half + 6:.1f}" y="{y + 4}" fill="{colour}">{number(length, ",")}</text>'
    dashes = ' stroke-dasharray="6 4"' if half < cell * length / 2 else ""
    line = (
        f'<line x1="{middle - half:.1f}" y1="{y}" x2="{middle + half:.1f}" y2="{y}" stroke="{colour}" '
        f'stroke-width="5"{dashes}/>'
    )
    return f'<text x="0" y="{y + 4}" fill="{colour}">{escape(name)}</text>{line if half else ""}{text}'
