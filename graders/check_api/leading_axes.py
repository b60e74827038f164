"""Where the leading axes of an exercise's arguments are, and which check owns them."""

from dataclasses import dataclass


@dataclass(frozen=True)
class LeadingAxes:
    """Where leading axes are.

    Attributes:
        check: the name of the check that tries all leading axes; it alone fails.
        values: how many of the first arguments have leading axes and two more.
        mask: the place of a mask that broadcasts to (..., Sq, Sk).
    """

    check: str
    values: int = 3
    mask: int = 3


@dataclass(frozen=True)
class BatchAxes:
    """The leading axes that code for one sequence, or for one head, lacks.

    Attributes:
        check: the name of the check that is about them; it alone fails.
        count: how many there are at most: 1 for (B, S, E), 2 for (B, H, S, D).
    """

    check: str
    count: int = 1
