"""The colours of values in pictures: a scale from the lowest to the highest, or around zero.

The colours are those of matplotlib's `viridis` and `coolwarm`, at seventeen places each, and run evenly
between them. To import matplotlib for them takes a third of the time in which PyTorch is imported.
"""

from dataclasses import dataclass

Colour = tuple[float, float, float]  # red, green and blue, from 0 to 255
_AROUND_ZERO = (
    "3b4cc0 4e68d8 6282ea 779af7 8db0fe a3c2fe b9d0f9 ccd9ed dddcdc "
    "ecd3c5 f5c4ac f7b093 f4987a eb7d62 dd5f4b ca3b37 b40426"
)
_UPWARDS = (
    "440154 48186a 472d7b 424086 3b528b 33638d 2c728e 26828e 21918c "
    "1fa088 28ae80 3fbc73 5ec962 84d44b addc30 d8e219 fde725"
)
STEPS = 16  # between the colours above


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


def colour_at(scale: Scale, shade: float) -> Colour:
    """The colour at a place of the scale, from 0 to 1."""
    colours = _SIGNED if scale.signed else _UNSIGNED
    place = shade * STEPS
    before = min(int(place), STEPS - 1)
    share = place - before
    red, green, blue = (
        a + (b - a) * share for a, b in zip(colours[before], colours[before + 1], strict=True)
    )
    return red, green, blue


def gradient(scale: Scale) -> str:
    """The colours of the scale, from its low to its high end, for CSS."""
    ends = (scale.shade(scale.low), scale.shade(scale.high))
    shades = [ends[0] + (ends[1] - ends[0]) * i / 6 for i in range(7)]
    return f"linear-gradient(90deg, {', '.join(in_css(colour_at(scale, shade)) for shade in shades)})"


def in_css(colour: Colour) -> str:
    """A colour for CSS and SVG."""
    return "#" + "".join(f"{round(part):02x}" for part in colour)


def _parse(colours: str) -> tuple[Colour, ...]:
    parts = (bytes.fromhex(colour) for colour in colours.split())
    return tuple((float(red), float(green), float(blue)) for red, green, blue in parts)


_SIGNED, _UNSIGNED = _parse(_AROUND_ZERO), _parse(_UPWARDS)
