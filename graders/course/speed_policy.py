"""What being slow costs: a rule in an exercise's entry of course.toml."""

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

STEPS = 4  # points come in quarters, so that what a clock is off by seldom shows


class BadRule(ValueError):
    """A rule in course.toml means nothing. Text for whoever wrote it."""


@dataclass(frozen=True)
class SpeedPolicy:
    """`points` of an exercise are for time: all up to `full` times the reference's, none from `none`."""

    points: float
    full: float
    none: float

    def share(self, ratio: float) -> float:
        """The share of the points for a ratio, in quarters, falling with its logarithm."""
        if ratio <= self.full:
            return 1.0
        left = math.log(self.none / ratio) / math.log(self.none / self.full)
        return max(0, math.ceil(STEPS * left)) / STEPS if ratio < self.none else 0.0


def speed_policy_of(table: Mapping[str, Any], points: float) -> SpeedPolicy:
    """The rule in `timing = { points = 1, full = 2, none = 10 }`, in an exercise of so many points.

    Raises:
        BadRule: it is not of this form, or its numbers contradict one another.
    """
    if table.keys() != {"points", "full", "none"} or not all(
        type(value) in (int, float) for value in table.values()
    ):
        raise BadRule("timing: three numbers are needed, points, full and none")
    pace = SpeedPolicy(**{name: float(value) for name, value in table.items()})
    if not 0 < pace.points < points:
        raise BadRule(f"timing: points must lie between 0 and the exercise's {points:g}")
    if not 1 <= pace.full < pace.none:
        raise BadRule("timing: full must be at least 1, and less than none")
    return pace
