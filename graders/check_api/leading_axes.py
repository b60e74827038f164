"""Where the leading axes of an exercise's arguments are, and which check owns them."""

from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True)
class LeadingAxes:
    """Where leading axes are.

    Attributes:
        check: the name of the check that tries all leading axes; it alone fails.
        values: how many of the first arguments have leading axes and two more.
        mask: the place of a mask that broadcasts to (..., Sq, Sk), if there is one.
    """

    check: str
    values: int = 3
    mask: int | None = 3


@dataclass(frozen=True)
class BatchAxes:
    """The leading axes that code for one sequence, or for one head, lacks.

    Attributes:
        check: the name of the check that is about them; it alone fails.
        count: how many there are at most: 1 for (B, S, E), 2 for (B, H, S, D).
        behind: how many axes are behind them, where any number of axes may lead; else 0.
    """

    check: str
    count: int = 1
    behind: int = 0

    @property
    def lacking(self) -> Sequence[int]:
        """How many leading axes the code may lack, as the box is asked: -2 for all but two."""
        return [-self.behind] if self.behind else range(1, self.count + 1)
