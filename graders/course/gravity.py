"""How grave a known mistake is: what share of an exercise's points it should cost."""

from enum import StrEnum, unique


@unique
class Gravity(StrEnum):
    """How grave a known mistake is, as its solution says.

    Attributes:
        WHOLE: what the exercise is about is missing, or wrong wherever it is asked.
        HALF: one of the things that the exercise asks for is missing or wrong.
        SMALL: one slip, or one case that fails; the rest is as it should be.
    """

    WHOLE = "whole"
    HALF = "half"
    SMALL = "small"

    @property
    def shares(self) -> tuple[float, float]:
        """The least and the most share of the points that a mistake of this gravity should cost."""
        return _SHARES[self]


_SHARES = {Gravity.WHOLE: (0.5, 1.0), Gravity.HALF: (0.2, 0.8), Gravity.SMALL: (0.0, 0.5)}
