"""What all submissions of a run share: the reference's and PyTorch's times at all lengths, and the peak rate.

The process that first times an exercise measures them; the others wait for it and read its file. They are
shown beside the student's times, and never decide a ratio: for that, the reference takes turns with the
student.
"""

import contextlib
import json
import os
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from graders.check_api.timed_call import Timed
from graders.timing.growth import growth_of_memory
from graders.timing.peak_memory import measure_peaks
from graders.timing.plan import Plan
from graders.timing.rounds import Budget, InterleavedBenchmark, RoundTimes, TooSlow

try:
    import fcntl
except ImportError:  # Windows has none: there each process measures for itself
    fcntl = None  # type: ignore[assignment]

ROUNDS, REQUEST_S, CONTESTANT_S = 6, 0.002, 0.1
PEAK_SIZE = 1024  # of the matrices whose product shows the machine's peak
PEAK_ROUNDS, PEAK_REQUEST_S = 5, 0.02


@dataclass(frozen=True)
class Curves:
    """Times by length and mode, peak bytes of a forward call by contestant and length, and FLOP/s at best."""

    times: Mapping[tuple[int, bool], RoundTimes] = field(default_factory=dict)
    peaks: Mapping[str, Mapping[int, int]] = field(default_factory=dict)
    peak: float | None = None

    def time_of(self, name: str, length: int, backward: bool) -> float | None:
        """The median time of a contestant; None where it was not measured."""
        rounds = self.times.get((length, backward))
        return rounds.median(name) if rounds and name in rounds.times else None

    def memory_growth(self, name: str) -> float | None:
        """The exponent of a contestant's memory; None where it was not measured or does not tell."""
        return growth_of_memory(self.peaks.get(name, {}))


@dataclass
class CurveStore:
    """The curves of a run's exercises, shared by its processes through files in `folder`, if it has one."""

    folder: Path | None = None
    _known: dict[str, Curves] = field(default_factory=dict)

    def find(self, exercise: str, measure: Callable[[], Curves]) -> Curves:
        """The curves of an exercise; measured where no process of the run has done so."""
        if exercise not in self._known:
            with self._locked(exercise) as path:
                if path is not None and path.is_file():
                    self._known[exercise] = _from_json(path.read_text(encoding="utf-8"))
                else:
                    self._known[exercise] = measure()
                    if path is not None:
                        path.write_text(_to_json(self._known[exercise]), encoding="utf-8")
        return self._known[exercise]

    @contextlib.contextmanager
    def _locked(self, exercise: str) -> Iterator[Path | None]:
        """The file of an exercise, for this process alone; the lock ends when the process does."""
        if self.folder is None or fcntl is None:
            yield None
            return
        descriptor = os.open(self.folder / f"{exercise}.lock", os.O_CREAT | os.O_RDWR, 0o600)
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX)
            yield self.folder / f"{exercise}.json"
        finally:
            os.close(descriptor)


def measure_curves(timed: Callable[..., Timed], benchmark: InterleavedBenchmark, plan: Plan) -> Curves:
    """Measure the times of all contestants of a benchmark without a student."""
    names = list(benchmark.contestants)
    benchmark.build_modules(timed(plan.judged_length))
    peaks = measure_peaks(timed, benchmark, plan.judged_length, names, plan.brief_bytes)
    benchmark.warm_up(timed)
    times: dict[tuple[int, bool], RoundTimes] = {}
    with contextlib.suppress(TooSlow):
        for backward in (False, True):
            for length in plan.curve_lengths:
                budget = Budget(ROUNDS, REQUEST_S, ROUNDS, CONTESTANT_S)
                times[length, backward] = benchmark.time_rounds(timed(length), backward, budget, names)
    return Curves(times, peaks)


def measure_peak(benchmark: InterleavedBenchmark, name: str) -> float:
    """FLOP/s of the product of two matrices, which a contestant of this name computes."""
    timed = Timed(((PEAK_SIZE, PEAK_SIZE),) * 2)
    budget = Budget(PEAK_ROUNDS, PEAK_REQUEST_S, PEAK_ROUNDS, CONTESTANT_S)
    return 2 * PEAK_SIZE**3 / benchmark.time_rounds(timed, False, budget, [name]).minimum(name)


def _to_json(curves: Curves) -> str:
    times = [[length, backward, dict(rounds.times)] for (length, backward), rounds in curves.times.items()]
    peaks = {name: list(by_length.items()) for name, by_length in curves.peaks.items()}
    return json.dumps({"times": times, "peaks": peaks, "peak": curves.peak})


def _from_json(text: str) -> Curves:
    held: dict[str, Any] = json.loads(text)
    times = {(length, backward): RoundTimes(rounds) for length, backward, rounds in held["times"]}
    return Curves(times, {name: dict(pairs) for name, pairs in held["peaks"].items()}, held["peak"])
