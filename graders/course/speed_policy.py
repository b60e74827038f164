"""What slow code costs: the table `timing` in an exercise's entry of course.toml."""

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from graders.language import number, tr

STEPS = 4  # points come in quarters, so that the clock's error seldom changes them


class BadRule(ValueError):
    """A table `timing` in course.toml is wrong. The text is for its author."""


@dataclass(frozen=True)
class SpeedPolicy:
    """How many points are for speed, and how they fall with the time.

    All `points` up to `full` times the reference's time, none from `none` times on.
    """

    points: float
    full: float
    none: float

    def share(self, ratio: float) -> float:
        """The share of the points for a ratio of times: it falls with the ratio's logarithm, in quarters."""
        if ratio <= self.full:
            return 1.0
        left = math.log(self.none / ratio) / math.log(self.none / self.full)
        return max(0, math.ceil(STEPS * left)) / STEPS if ratio < self.none else 0.0

    @property
    def edges(self) -> tuple[float, ...]:
        """The ratios at which the share changes."""
        factor = self.none / self.full
        return tuple(self.full * factor ** (step / STEPS) for step in range(1, STEPS + 1))


def speed_policy_of(table: Mapping[str, Any], points: float) -> SpeedPolicy:
    """Read `timing = { points = 1, full = 2, none = 10 }` in an exercise with `points` points.

    Raises:
        BadRule: it has another form, or its numbers contradict one another.
    """
    if table.keys() != {"points", "full", "none"} or not all(
        type(value) in (int, float) for value in table.values()
    ):
        raise BadRule(tr("timing: three numbers are needed, points, full and none"))
    policy = SpeedPolicy(**{name: float(value) for name, value in table.items()})
    if not 0 < policy.points < points:
        raise BadRule(
            tr("timing: points must lie between 0 and the exercise's {points}", points=number(points, "g"))
        )
    if not 1 <= policy.full < policy.none:
        raise BadRule(tr("timing: full must be at least 1, and less than none"))
    return policy
