"""A plot against the length S on two logarithmic axes, as inline SVG written by hand.

matplotlib would take half a second for the first, and 30 ms for each.
"""

import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from markupsafe import Markup, escape

from graders.language import tr

WIDTH, HEIGHT = 400, 300  # CSS pixels
LEFT, RIGHT, TOP, BOTTOM = 70, 100, 18, 46  # the margins: numbers, names, nothing, lengths
LINE = 16  # from one name to the next
SMALL = 11.5  # pixels of the numbers

Line = Sequence[tuple[float, float]]


@dataclass(frozen=True)
class Plot:
    """The ranges of both axes."""

    shortest: float
    longest: float
    low: float
    high: float

    def x(self, length: float) -> float:
        """Where a length lies."""
        share = math.log(length / self.shortest) / math.log(self.longest / self.shortest)
        return LEFT + 8 + share * (WIDTH - LEFT - RIGHT - 8)

    def y(self, value: float) -> float:
        """Where a value lies."""
        share = math.log(value / self.low) / math.log(self.high / self.low)
        return HEIGHT - BOTTOM - share * (HEIGHT - TOP - BOTTOM)

    def line(self, line: Line, colour: str, width: float, dashes: str = "") -> str:
        """A line through points; with `dashes`, it is dashed."""
        path = " ".join(f"{self.x(length):.1f},{self.y(value):.1f}" for length, value in line)
        dashed = f' stroke-dasharray="{dashes}"' if dashes else ""
        return f'<polyline points="{path}" fill="none" stroke="{colour}" stroke-width="{width}"{dashed}/>'

    def band(self, below: Line, above: Line, colour: str) -> str:
        """The area between two lines, in a light tone."""
        around = [*below, *reversed(above)]
        path = " ".join(f"{self.x(length):.1f},{self.y(value):.1f}" for length, value in around)
        return f'<polygon points="{path}" fill="{colour}" fill-opacity="0.15"/>'

    def dots(self, line: Line, colour: str) -> str:
        """A dot at each point of a line."""
        return "".join(
            f'<circle cx="{self.x(length):.1f}" cy="{self.y(value):.1f}" r="3" fill="{colour}"/>'
            for length, value in line
        )

    def names(self, ends: Iterable[tuple[str, float, str]]) -> str:
        """The names of lines beside their right ends, moved apart so that they do not overlap."""
        texts, above = [], math.inf
        for name, value, colour in sorted(ends, key=lambda end: end[1]):
            above = min(self.y(value), above - LINE)
            texts.append(_text(name, WIDTH - RIGHT + 8, above + 4, "start", colour))
        return "".join(texts)

    def axes(self, lengths: Sequence[int], write: Callable[[float], str]) -> str:
        """Both axes with their numbers; `write` writes those of the values."""
        bottom = HEIGHT - BOTTOM
        ticks = [value for value in _round_values(self.low, self.high) if self.low <= value <= self.high]
        numbers = [_text(str(n), self.x(n), bottom + 18, "middle", size=SMALL) for n in lengths]
        numbers += [_text(write(v * 1.0000001), LEFT - 8, self.y(v) + 4, "end", size=SMALL) for v in ticks]
        marks = [f"M{self.x(n):.1f} {bottom}v4" for n in lengths]
        marks += [f"M{LEFT} {self.y(v):.1f}h-4" for v in ticks]
        lines = f"M{LEFT} {TOP}V{bottom}H{WIDTH - RIGHT}"
        title = _text(tr("length S"), (LEFT + WIDTH - RIGHT) / 2, HEIGHT - 8, "middle")
        path = f'<path d="{lines}{"".join(marks)}" fill="none" stroke="currentColor" stroke-opacity="0.7"/>'
        return path + "".join(numbers) + title

    def svg(self, drawn: str, label: str) -> Markup:
        """The picture, with its text alternative."""
        return Markup(  # noqa: S704 - numbers and our words
            f'<svg class="picture" role="img" aria-label="{escape(label)}" viewBox="0 0 {WIDTH} {HEIGHT}" '
            f'width="{WIDTH}" height="{HEIGHT}" font-size="12" xmlns="http://www.w3.org/2000/svg">{drawn}</svg>'
        )


def _text(text: str, x: float, y: float, anchor: str, colour: str = "currentColor", size: float = 12) -> str:
    return (
        f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}" fill="{colour}" font-size="{size}">'
        f"{escape(text)}</text>"
    )


def _round_values(low: float, high: float) -> list[float]:
    """1 and 3 of each power of ten; over many of these, 1 alone."""
    digits = (1, 3) if high / low < 1e4 else (1,)
    powers = range(math.floor(math.log10(low)), math.ceil(math.log10(high)) + 1)
    return [digit * 10.0**power for power in powers for digit in digits]
