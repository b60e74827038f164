"""The exponent p of a cost a + b * S^p, with an interval, from three lengths that grow by one factor.

The differences of the costs do not have the constant part a, the cost of a call on nothing:
(c3 - c2) / (c2 - c1) = factor^p.
"""

import itertools
import math
import statistics
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from graders.timing.intervals import Interval, interval_of_median

MOST_CONSTANT = 0.5  # of the time at the middle length: beyond, the inputs are too short to tell
WIDEST = 1.2  # an interval that is wider tells S from S^2 no more


@dataclass(frozen=True)
class Growth:
    """An exponent, and where it lies."""

    exponent: float
    interval: Interval


def growth_of_times(rounds: Sequence[Sequence[float]], factor: float) -> Growth | None:
    """The growth of times; None where the inputs are too short to tell.

    Args:
        rounds: for each of three lengths, from short to long, the time of each round. There may be few at the
            longest, which is dear: each of them is compared with several of the others then.
        factor: by which each length is longer than the one before.
    """
    short, middle, long = rounds
    ratios = [_growth_ratio(*costs) for costs in zip(short, middle, itertools.cycle(long), strict=False)]
    if not ratios or min(ratios) <= 0:
        return None
    least = [statistics.median(times) for times in rounds]
    interval = interval_of_median(ratios)
    low, high = math.log(interval.low, factor), math.log(interval.high, factor)
    exponent = math.log(statistics.median(ratios), factor)
    step = factor**exponent - 1
    constant = least[0] - (least[1] - least[0]) / step if step > 0 else least[0]
    if constant > MOST_CONSTANT * least[1] or high - low > WIDEST:
        return None
    return Growth(exponent, Interval(low, high))


def growth_of_memory(peaks: Mapping[int, int]) -> float | None:
    """The exponent of peaks at the three greatest lengths; None where they do not tell."""
    lengths = sorted(peaks)[-3:]
    if len(lengths) < 3:
        return None
    ratio = _growth_ratio(*(peaks[length] for length in lengths))
    return math.log(ratio, lengths[1] / lengths[0]) if ratio > 0 else None


def _growth_ratio(first: float, second: float, third: float) -> float:
    """The greater difference over the smaller; 0 where the cost does not grow."""
    if second <= first or third <= second:
        return 0.0
    return (third - second) / (second - first)
