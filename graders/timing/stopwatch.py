"""The stopwatch: times a student's code beside the reference and beside PyTorch's own implementation.

Each contestant runs in its own process, in boxes of the same kind, and they take turns. The control is a
second process of the reference: when the two take different times, the machine is too busy to time anything.
"""

import contextlib
import traceback
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from itertools import product
from typing import Any

import torch

from graders.candidate.parameter_mapping.mapping import Undecidable
from graders.candidate.remote_candidate import RemoteCandidate
from graders.check_api.check import Raised, Violation
from graders.check_api.timed_call import Timed
from graders.course.exercise import Exercise
from graders.extraction.extract import Source
from graders.judging.draws import Draws
from graders.language import tr, translatable
from graders.results.measurements import REFERENCE, Timing
from graders.safe_text import safe_text
from graders.sandbox.box import Box
from graders.sandbox.interpreter import BoxBroken
from graders.sandbox.isolation.level import IsolationLevel
from graders.sandbox.process_lost import ProcessLost
from graders.sandbox.session import BoxSession
from graders.timing import analysis, sources
from graders.timing.common_weights import CommonWeights
from graders.timing.contestant import Contestant
from graders.timing.cpu_clock import NoClock
from graders.timing.rounds import (
    CONTROL,
    STUDENT,
    TORCH,
    Budget,
    Differs,
    InterleavedBenchmark,
    RoundTimes,
    TooSlow,
)
from graders.worker.wire import BadFrame

REFUSED = translatable(
    "when it is called repeatedly with large inputs, its answers are not those of the reference"
)
TimesByLength = dict[tuple[int, bool], RoundTimes]  # by the length, and whether with gradients


@dataclass(frozen=True)
class Plan:
    """What is measured, and for how long.

    Attributes:
        lengths: of the inputs, in positions.
        judged_length: the length that points depend on; a shorter one where it takes too long.
        cpu_s: bound on the CPU seconds of one exercise's calls.
        judged_request_s: seconds of one request at the judged length.
        request_s: seconds of one request at the other lengths.
        rounds: at lengths below the judged one. At the judged length, at least twice as many.
        max_rounds: at the judged length. Rounds end before, when the control's ratio lies in
            `even_ratios` and more rounds would hardly change the ratios.
        rounds_beyond: at lengths above the judged one.
        even_ratios: bounds of the control's ratio; outside them, nothing is reported.
        retries: how often all is measured again in new processes when the control is uneven.
        loop_factor: by how much one size grows when a loop over it is looked for.
        threads: that PyTorch may use; the clock counts the CPU time of all of them.
    """

    lengths: tuple[int, ...] = (64, 128, 256, 512, 1024, 2048)
    judged_length: int = 512
    cpu_s: float = 7.5
    judged_request_s: float = 0.02
    request_s: float = 0.012
    rounds: int = 7
    max_rounds: int = 60
    rounds_beyond: int = 3
    even_ratios: tuple[float, float] = (0.95, 1.05)
    retries: int = 1
    loop_factor: int = 8
    threads: int = 1


@dataclass
class Stopwatch:
    """Times exercises of submissions that run in `box`. `close` ends the boxes that it has started."""

    box: Box
    draws: Draws
    plan: Plan = Plan()
    _boxes: dict[str, Box] = field(default_factory=dict)

    def time(self, exercise: Exercise, source: Source) -> Timing:
        """Time the student's code. Never raises: the timing says what went wrong."""
        try:
            return self._time_with_retries(exercise, source, self.plan.retries)
        except Differs:
            return self._without_times(refused=tr(REFUSED))
        except ProcessLost as lost:
            return self._without_times(refused=safe_text(tr("while it was timed: {lost}", lost=lost), 400))
        except Raised as error:
            return self._without_times(
                refused=safe_text(tr("while it was timed it raised {error}", error=error), 400)
            )
        except (Undecidable, Violation) as error:
            return self._without_times(
                skipped=safe_text(tr("its weights could not be set: {error}", error=error), 400)
            )
        except NoClock as error:
            return self._without_times(skipped=str(error))
        except analysis.Uneven as error:
            return self._without_times(skipped=str(error), control=error.control)
        except (BoxBroken, BadFrame, OSError) as error:
            return self._without_times(skipped=tr("softmark itself failed here"), staff=str(error))
        except Exception:  # a fault of ours must not cost the results of the checks
            return self._without_times(
                skipped=tr("softmark itself failed here"), staff=traceback.format_exc(limit=-6)
            )

    def _time_with_retries(self, exercise: Exercise, source: Source, retries: int) -> Timing:
        """Measure; when uneven, again in new processes, since a process's memory layout can slow it down."""
        try:
            with self._benchmark(exercise, source) as benchmark:
                return self._measure(exercise, benchmark)
        except analysis.Uneven:
            if not retries:
                raise
        return self._time_with_retries(exercise, source, retries - 1)

    def close(self) -> None:
        """End all boxes but the submission's own."""
        for box in self._boxes.values():
            box.close()
        self._boxes.clear()

    def _without_times(self, **reasons: Any) -> Timing:
        return Timing(sandbox=self.box.level, clock=self._clock_name, threads=self.plan.threads, **reasons)

    @property
    def _clock_name(self) -> str:
        return "wall" if self.box.device == "cuda" else "cpu"

    @contextlib.contextmanager
    def _benchmark(self, exercise: Exercise, source: Source) -> Iterator[InterleavedBenchmark]:
        """Load all contestants: the student, the reference where there is one, PyTorch's own, the control."""
        dtype = self.draws.dtype or torch.float32
        weights = CommonWeights(exercise, dtype)
        by_name = {STUDENT: source, TORCH: sources.read_torch_source(exercise)}
        own = sources.read_reference_source(exercise.name, exercise.symbol)
        by_name |= {REFERENCE: own, CONTROL: own} if own else {CONTROL: by_name[TORCH]}
        benchmark = InterleavedBenchmark({}, dtype, self.plan.cpu_s)
        try:
            for name, code in by_name.items():
                if code is not None:
                    build = weights.build_student if name == STUDENT else weights.build_ours
                    mapping_draws = partial(self.draws.mapping_draws, exercise) if name == STUDENT else list
                    candidate = partial(_boxed_candidate, exercise, mapping_draws, self.draws.dtype)
                    contestant = Contestant(self._box(name), code, candidate, build, self.plan.threads)
                    benchmark.contestants[name] = contestant
                    contestant.load()
            yield benchmark
        finally:
            for contestant in benchmark.contestants.values():
                contestant.close()

    def _box(self, name: str) -> Box:
        """The submission's box where it may hold several processes side by side, else one per contestant."""
        if name == STUDENT or self.box.level in (IsolationLevel.NESTED, IsolationLevel.OPEN):
            return self.box
        if name not in self._boxes:
            self._boxes[name] = Box(self.box.level, self.box.limits, self.box.device)
        return self._boxes[name]

    def _measure(self, exercise: Exercise, benchmark: InterleavedBenchmark) -> Timing:
        assert exercise.timed is not None
        base = REFERENCE if REFERENCE in benchmark.contestants else TORCH
        loops = self._find_loops(exercise.timed, benchmark, base)
        benchmark.build_modules(exercise.timed(self.plan.judged_length))
        # Warm up: the time to load libraries must not be charged to anyone.
        benchmark.time_rounds(exercise.timed(8), True, Budget(1, 0.0, 1), list(benchmark.contestants))
        for contestant in benchmark.contestants.values():
            contestant.note_memory_at_rest()
        judged, times = self._time_judged_length(exercise.timed, benchmark, base)
        names = [name for name in benchmark.contestants if name != CONTROL]
        memory = {name: benchmark.contestants[name].peak_memory() for name in names}
        stopped = self._time_other_lengths(exercise.timed, benchmark, names, judged, times)
        measurement = analysis.Measurement(times, memory, base, loops, judged, stopped)
        timing = analysis.analyse(measurement, self.box.level, self._clock_name)
        return replace(timing, threads=self.plan.threads)

    def _time_judged_length(
        self, timed: Callable[..., Timed], benchmark: InterleavedBenchmark, base: str
    ) -> tuple[int, TimesByLength]:
        """The length that points depend on, and its times.

        Raises:
            Uneven: the control took another time than the reference.
            NoClock: there is not the time for any length.
        """
        low, high = self.plan.even_ratios

        def is_even(times: RoundTimes) -> bool:
            return low <= times.median_ratio(CONTROL, base) <= high

        def is_enough(times: RoundTimes) -> bool:
            return is_even(times) and all(times.ratio_is_certain(name, base) for name in (STUDENT, CONTROL))

        plan, names = self.plan, list(benchmark.contestants)
        budget = Budget(2 * plan.rounds, plan.judged_request_s, plan.max_rounds, enough=is_enough)
        # About a third of the time forward, a third backward, and a third for the other lengths.
        forward = replace(budget, reserve_s=0.65 * plan.cpu_s)
        budgets = {False: forward, True: replace(budget, reserve_s=0.35 * plan.cpu_s)}
        for length in sorted((n for n in plan.lengths if n <= plan.judged_length), reverse=True):
            with contextlib.suppress(TooSlow):
                times = {
                    (length, backward): benchmark.time_rounds(
                        timed(length), backward, budgets[backward], names
                    )
                    for backward in budgets
                }
                for round_times in times.values():
                    if not is_even(round_times):
                        raise analysis.Uneven(round_times.median_ratio(CONTROL, base))
                return length, times
        raise NoClock(tr("even the shortest input takes longer than the time for the whole measurement"))

    def _time_other_lengths(
        self,
        timed: Callable[..., Timed],
        benchmark: InterleavedBenchmark,
        names: Sequence[str],
        judged: int,
        times: TimesByLength,
    ) -> tuple[int, str] | None:
        """Add the times of all other lengths to `times`; the length that was not finished, and the reason."""
        stopped: tuple[int, str] | None = None
        for length, backward in product(self.plan.lengths, (False, True)):
            if length != judged and (stopped is None or length < stopped[0]):
                rounds = self.plan.rounds if length < judged else self.plan.rounds_beyond
                budget = Budget(rounds, self.plan.request_s, rounds)
                try:
                    times[length, backward] = benchmark.time_rounds(timed(length), backward, budget, names)
                except TooSlow:
                    stopped = length, tr("there was no time left for it")
                except (ProcessLost, Raised) as lost:  # above the judged length, this costs no points
                    if length < judged:
                        raise
                    stopped = length, safe_text(str(lost), 200)
                    break
        return stopped

    def _find_loops(
        self, timed: Callable[..., Timed], benchmark: InterleavedBenchmark, base: str
    ) -> tuple[str, ...]:
        """The sizes with which the student's time grows, so small that the base's time hardly grows."""
        small, factor = 8, self.plan.loop_factor
        names = list(benchmark.contestants)  # all take turns, since earlier work of a process slows it down
        calls = {
            "": timed(small),
            translatable("positions"): timed(small * factor),
            translatable("heads"): timed(small, heads=4 * factor),
            translatable("sequences in a batch"): timed(small, batch=factor),
        }
        suspected = set(calls) - {""}
        for rounds in (7, 15):  # an apparent loop is measured a second time, since it may be chance
            times = {}
            for size in [size for size in calls if suspected and size in suspected | {""}]:
                benchmark.build_modules(calls[size])
                times[size] = benchmark.time_rounds(calls[size], False, Budget(rounds, 0.003, rounds), names)
            suspected = {size for size in suspected if analysis.grows(times[size], times[""], base, factor)}
        return tuple(size for size in calls if size in suspected)


@contextlib.contextmanager
def open_stopwatch(box: Box, draws: Draws, threads: int = 1) -> Iterator[Stopwatch | None]:
    """A stopwatch for submissions in this box, closed at the end; None where `threads` is 0."""
    stopwatch = Stopwatch(box, draws, Plan(threads=threads)) if threads else None
    try:
        yield stopwatch
    finally:
        if stopwatch:
            stopwatch.close()


def _boxed_candidate(
    exercise: Exercise,
    mapping_draws: Callable[[], Any],
    dtype: torch.dtype | None,
    session: BoxSession,
    source: Source,
) -> RemoteCandidate:
    candidate = RemoteCandidate(session, source, mapping_draws, dtype)
    candidate.contract, candidate.defaults = exercise.signatures, exercise.defaults
    return candidate
