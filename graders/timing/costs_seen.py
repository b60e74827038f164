"""What calls of one submission cost, kept while a check of cost measures it: for the student's page."""

import math
import statistics
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from graders.check_api.grows_as import Growth, bound
from graders.results.measurements import CostCurve


@dataclass
class CostTable:
    """The times and peaks of calls, by the width of their inputs and by their length.

    Attributes:
        times: the least CPU seconds of a call.
        peaks: the peak memory in bytes, of the process that was measured last.
    """

    times: dict[int, dict[int, float]] = field(default_factory=dict)
    peaks: dict[int, dict[int, int]] = field(default_factory=dict)

    def note_time(self, width: int, length: int, seconds: float) -> None:
        """Note what a call took."""
        of_width = self.times.setdefault(width, {})
        of_width[length] = min(seconds, of_width.get(length, math.inf))

    def note_peak(self, width: int, length: int, peak: int) -> None:
        """Note the most memory that a call needed."""
        self.peaks.setdefault(width, {})[length] = peak

    def curves(self, growth: Growth, ratios: Sequence[float], least_peak: int) -> tuple[CostCurve, ...]:
        """The time and the peak memory against the length, each where it was measured.

        Args:
            growth: what is due.
            ratios: of the times at the two longest lengths, by round; empty where no round was needed.
            least_peak: bytes below which a peak is not judged.
        """
        curves = []
        if self.times:
            # Where the memory decides, the time of the wider inputs is not measured.
            width = max(self.times, key=lambda width: (min(2, len(self.times[width])), width))
            times = self.times[width]
            ratio = statistics.median(ratios) if ratios else _last_ratio(times)
            curves.append(_curve("time", times, growth.time, ratio, width))
        for width, peaks in self.peaks.items():
            ratio = _last_ratio(peaks)
            curves.append(
                _curve(
                    of="memory", costs=peaks, due=growth.memory, ratio=ratio, width=width, least=least_peak
                )
            )
        return tuple(curves)


def _curve(
    of: str, costs: Mapping[int, float], due: int, ratio: float | None, width: int, least: int = 0
) -> CostCurve:
    measured = tuple(sorted(costs.items()))
    found = None
    if ratio is not None:
        *_, (shorter, _), (longest, _) = measured
        found = math.log(max(ratio, 1e-9), longest / shorter)
    return CostCurve(
        of=of, measured=measured, due=due, bound=bound(due), found=found, width=width, least=least
    )


def _last_ratio(costs: Mapping[int, float]) -> float | None:
    """The cost at the longest length over that at the one before."""
    if len(costs) < 2:
        return None
    *_, shorter, longest = (costs[length] for length in sorted(costs))
    return longest / max(1e-9, shorter)
