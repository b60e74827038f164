"""How deep an audit goes."""

from dataclasses import dataclass

# The draws of each check on which a quick audit tries what runs in the box: the simplest, one of any size.
QUICK = (0, 2)


@dataclass(frozen=True)
class Depth:
    """How deep an audit goes.

    Attributes:
        every_check: whether every check is tried on every mistake, for a table of both; else only what shows
            all gaps.
        with_key: whether answers are judged with an answer key too.
        draws: the numbers of the draws of each check on which right answers and deviations are tried, beside
            the longest; then the reference is tried under one seed. None for all draws, and two seeds.
    """

    every_check: bool = False
    with_key: bool = False
    draws: tuple[int, ...] | None = None
