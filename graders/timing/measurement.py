"""What was measured of one exercise, before it is summarised."""

from collections.abc import Mapping
from dataclasses import dataclass

from graders.language import number, tr
from graders.timing.intervals import Interval, interval_of_median
from graders.timing.rounds import CONTROL, STUDENT, RoundTimes

TimesByLength = dict[tuple[int, bool], RoundTimes]  # by the length, and whether with gradients


class UnevenControl(Exception):
    """The control took another time than the reference. The text is for the reader of the result."""

    def __init__(self, control: float) -> None:
        ratio = number(control, ".2f")
        super().__init__(
            tr("the machine was too busy: against itself, the reference took {n} times as long", n=ratio)
        )
        self.control = control


@dataclass(frozen=True)
class Measurement:
    """All that was measured.

    Attributes:
        times: by length, and whether with gradients.
        memory: peak bytes at the length `judged`, by contestant.
        base: the contestant that the student is compared with.
        loops: the sizes with which the student's time grows.
        judged: the length that points depend on.
        stopped: the length whose measurement was not finished, and the reason.
        peaks: peak bytes of a forward call by contestant and length.
    """

    times: Mapping[tuple[int, bool], RoundTimes]
    memory: Mapping[str, int]
    base: str
    loops: tuple[str, ...]
    judged: int
    stopped: tuple[int, str] | None
    peaks: Mapping[str, Mapping[int, int]]


def ratio_interval(times: RoundTimes, base: str) -> Interval:
    """Where the student's ratio lies, wider by as much as the control's ratio is away from 1."""
    control = times.median_ratio(CONTROL, base) if CONTROL in times.times else 1.0
    return interval_of_median(times.ratios(STUDENT, base)).widened(max(control, 1 / control))


@dataclass(frozen=True)
class Evenness:
    """The control: whether the reference takes the time that it takes itself, in another process."""

    base: str
    bounds: tuple[float, float]

    def holds(self, times: RoundTimes) -> bool:
        """Whether the two take the same time."""
        low, high = self.bounds
        return low <= times.median_ratio(CONTROL, self.base) <= high

    def require(self, times: RoundTimes) -> None:
        """Require it.

        Raises:
            UnevenControl: it does not hold.
        """
        if not self.holds(times):
            raise UnevenControl(times.median_ratio(CONTROL, self.base))
