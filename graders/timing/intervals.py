"""Intervals from few rounds, without assuming how their errors are distributed.

The median of n values lies between the k-th least and the k-th greatest unless k of them are on one side by
chance, whose probability is that of coins: https://en.wikipedia.org/wiki/Median_test (the sign test).
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass

CONFIDENCE = 0.96  # six rounds are the fewest whose range holds the median as surely
ROOM = 1.5  # fewer rounds: their range, this factor wider on both sides


@dataclass(frozen=True)
class Interval:
    """Where a value lies, as surely as CONFIDENCE."""

    low: float
    high: float

    def widened(self, factor: float) -> "Interval":
        """This interval, wider by a factor that is at least 1, on both sides."""
        return Interval(self.low / factor, self.high * factor)


def interval_of_median(values: Sequence[float]) -> Interval:
    """The interval of the median of positive values."""
    ordered = sorted(values)
    cut = _cut(len(ordered))
    if cut is None:
        return Interval(ordered[0] / ROOM, ordered[-1] * ROOM)
    return Interval(ordered[cut], ordered[-1 - cut])


def _cut(count: int) -> int | None:
    """How many values on each side lie outside of the interval; None if no interval is sure enough."""
    outside, cut = 0.0, None
    for left_out in range(count // 2):
        outside += 2 * math.comb(count, left_out) / 2**count
        if outside > 1 - CONFIDENCE:
            break
        cut = left_out
    return cut
