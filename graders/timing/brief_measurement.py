"""The usual timing: the student beside the reference, at the length that counts, until the verdict is sure.

What all submissions share, the reference's and PyTorch's times at all lengths, is measured once a run
(`run_curves`).
"""

import contextlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from graders.check_api.candidate import Raised
from graders.check_api.timed_call import Timed
from graders.language import tr
from graders.timing import bands
from graders.timing.cpu_clock import NoClock
from graders.timing.loops import find_loops
from graders.timing.measurement import Evenness, Measurement, TimesByLength, ratio_interval
from graders.timing.peak_memory import measure_peaks
from graders.timing.plan import Plan
from graders.timing.rounds import (
    MIN_ROUNDS,
    STUDENT,
    Budget,
    InterleavedBenchmark,
    RoundTimes,
    TooSlow,
)

SHORTEST = 64


@dataclass
class BriefMeasurement:
    """A measurement of one exercise. `edges` are the ratios between which it need not tell exactly."""

    timed: Callable[..., Timed]
    benchmark: InterleavedBenchmark
    base: str
    plan: Plan
    edges: Sequence[float]
    _times: TimesByLength = field(default_factory=dict)
    _peaks: dict[str, dict[int, int]] = field(default_factory=dict)

    def measure(self) -> Measurement:
        """Compare at the judged length, and find out how the time grows.

        Raises:
            Uneven: the control took another time than the reference.
            NoClock: there is not the time for any length.
        """
        judged_length = self.plan.judged_length
        self.benchmark.build_modules(self.timed(judged_length))
        most = self.plan.brief_bytes
        self._peaks = measure_peaks(
            self.timed, self.benchmark, judged_length, [STUDENT], most, beside=[self.base]
        )
        self.benchmark.warm_up(self.timed)
        judged = self._time_judged_length()
        memory = {name: peaks.get(judged, 0) for name, peaks in self._peaks.items()}
        loops: tuple[str, ...] = ()
        if self._is_much_slower(judged):
            loops = find_loops(self.timed, self.benchmark, self.base, self.plan.loop_factor)
        return Measurement(
            times=self._times,
            memory=memory,
            base=self.base,
            loops=loops,
            judged=judged,
            stopped=None,
            peaks=self._peaks,
        )

    @property
    def _pair(self) -> list[str]:
        return [STUDENT, self.base]

    def _time_judged_length(self) -> int:
        """Time the longest length that there is time for, from the judged length on."""
        length = self.plan.judged_length
        while length >= min(SHORTEST, self.plan.judged_length):
            self._times.clear()
            try:
                self._compare(length, backward=False)
                self._time_growth(length)
                self._compare(length, backward=True)
            except TooSlow:
                length //= 2
            else:
                return length
        raise NoClock(tr("even the shortest input takes longer than the time for the whole measurement"))

    def _compare(self, length: int, backward: bool) -> None:
        def is_sure(times: RoundTimes) -> bool:
            return bands.lies_within_one(ratio_interval(times, self.base), self.edges)

        def is_enough(times: RoundTimes) -> bool:
            return is_sure(times) and times.ratio_is_certain(STUDENT, self.base, self.plan.brief_error)

        fewest, most = self.plan.brief_rounds
        budget = Budget(
            fewest, self.plan.brief_request_s, most, self.plan.brief_contestant_s, enough=is_enough
        )
        names = list(self.benchmark.contestants)
        times = self.benchmark.time_rounds(self.timed(length), backward, budget, names)
        # On an uneven machine a verdict stands where it is the same with the control's luck.
        if not is_sure(times):
            Evenness(self.base, self.plan.even_ratios).require(times)
        self._times[length, backward] = times

    def _time_growth(self, judged: int) -> None:
        """Time half and double the length, where such a call is short and small enough."""
        fewest, _ = self.plan.brief_rounds
        for length in (judged // 2, *self._longer(judged)):
            # A call of double the length costs four times as much, and the sentence about growth is as sure.
            rounds = MIN_ROUNDS if length > judged else fewest
            budget = Budget(rounds, self.plan.brief_request_s, rounds, self.plan.brief_contestant_s)
            with contextlib.suppress(TooSlow, *([Raised] if length > judged else [])):
                self._times[length, False] = self.benchmark.time_rounds(
                    self.timed(length), False, budget, self._pair
                )

    def _longer(self, judged: int) -> tuple[int, ...]:
        """Double the length, where a call is short and small enough there: no points depend on it."""
        is_short = 4 * self._times[judged, False].median(STUDENT) <= self.plan.brief_call_s
        peak = self._peaks.get(STUDENT, {}).get(judged, 0)
        return (2 * judged,) if is_short and 4 * peak <= self.plan.brief_bytes else ()

    def _is_much_slower(self, judged: int) -> bool:
        return ratio_interval(self._times[judged, False], self.base).low > bands.MUCH_SLOWER
