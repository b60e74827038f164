"""Bands of ratios: within one of them, a more exact ratio would change neither points nor words."""

from bisect import bisect
from collections.abc import Sequence

from graders.course.speed_policy import SpeedPolicy
from graders.timing.intervals import Interval

AS_FAST, MUCH_SLOWER = 1.1, 3.0  # a planted 1.2 is told from 1; from 3 on, the way of computing is another
NAMES = ("as fast", "slower", "much slower")


def edges_of(policy: SpeedPolicy | None) -> tuple[float, ...]:
    """The ratios at which the points change, or the words where there are no points."""
    return (AS_FAST, MUCH_SLOWER) if policy is None else policy.edges


def lies_within_one(interval: Interval, edges: Sequence[float]) -> bool:
    """Whether no edge lies in the interval."""
    return bisect(edges, interval.low) == bisect(edges, interval.high)


def name_of(interval: Interval) -> str:
    """In which of the bands of words it lies; empty if it lies in more than one."""
    edges = (AS_FAST, MUCH_SLOWER)
    return NAMES[bisect(edges, interval.low)] if lies_within_one(interval, edges) else ""
