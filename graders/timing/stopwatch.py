"""The stopwatch: times a student's code beside the reference and beside PyTorch's own implementation.

Each contestant runs in its own process, in boxes of the same kind, and they take turns. The control is a
second process of the reference: when the two take different times, the machine is too busy to time anything.
"""

import contextlib
import traceback
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any

import torch

from graders.candidate.parameter_mapping.mapping import Undecidable
from graders.candidate.remote_candidate import RemoteCandidate
from graders.candidate.student_error import RaisedByStudent
from graders.check_api.candidate import Raised
from graders.check_api.check import Violation
from graders.course.exercise import Exercise
from graders.extraction.extract import Source
from graders.judging.draws import Draws
from graders.language import tr, translatable
from graders.results.measurements import REFERENCE, Timing
from graders.safe_text import safe_text
from graders.sandbox.box import Box
from graders.sandbox.interpreter import BoxBroken
from graders.sandbox.process_lost import ProcessLost
from graders.sandbox.session import BoxSession
from graders.timing import analysis, bands, sources
from graders.timing.brief_measurement import BriefMeasurement
from graders.timing.common_weights import CommonWeights
from graders.timing.contestant import Contestant
from graders.timing.cpu_clock import NoClock
from graders.timing.full_measurement import measure_fully
from graders.timing.measurement import Measurement, UnevenControl
from graders.timing.physical_floor import Impossible, require_possible
from graders.timing.plan import Plan
from graders.timing.rounds import CONTROL, MATH, STUDENT, TORCH, Differs, InterleavedBenchmark, OursFailed
from graders.timing.run_curves import Curves, CurveStore, measure_curves, measure_peak
from softmark_worker.wire import BadFrame

REFUSED = translatable(
    "when it is called repeatedly with large inputs, its answers are not those of the reference"
)


@dataclass
class Stopwatch:
    """Times exercises of submissions that run in `box`. `close` ends the boxes that it has started."""

    box: Box
    draws: Draws
    plan: Plan = field(default_factory=Plan)
    curves: CurveStore = field(default_factory=CurveStore)
    _boxes: dict[str, Box] = field(default_factory=dict)

    def time(self, exercise: Exercise, source: Source) -> Timing:
        """Time the student's code. Never raises: the timing says what went wrong."""
        try:
            return self._time_with_retries(exercise, source, self.plan.retries)
        except Differs:
            return self._without_times(refused=tr(REFUSED))
        except Impossible as error:
            return self._without_times(refused=str(error))
        except ProcessLost as lost:
            return self._without_times(refused=safe_text(tr("while it was timed: {lost}", lost=lost), 400))
        except Raised as error:
            return self._without_times(refused=safe_text(_tell_error(error), 400))
        except (Undecidable, Violation) as error:
            return self._without_times(
                skipped=safe_text(tr("its weights could not be set: {error}", error=error), 400)
            )
        except NoClock as error:
            return self._without_times(skipped=str(error))
        except UnevenControl as error:
            return self._without_times(skipped=str(error), control=error.control)
        except (BoxBroken, BadFrame, OSError, OursFailed) as error:
            return self._without_times(skipped=tr("softmark itself failed here"), staff=str(error))
        except Exception:  # a fault of ours must not cost the results of the checks
            return self._without_times(
                skipped=tr("softmark itself failed here"), staff=traceback.format_exc(limit=-6)
            )

    def _time_with_retries(self, exercise: Exercise, source: Source, retries: int) -> Timing:
        """Measure; when uneven, again in new processes, since a process's memory layout can slow it down."""
        curves = self.curves.find(exercise.name, partial(self._measure_curves, exercise))
        try:
            with self._benchmark(exercise, self._sources(exercise, source)) as benchmark:
                measured = self._measure(exercise, benchmark)
        except UnevenControl:
            if not retries:
                raise
            return self._time_with_retries(exercise, source, retries - 1)
        return self._summarise(exercise, measured, curves)

    def _summarise(self, exercise: Exercise, measured: Measurement, curves: Curves) -> Timing:
        assert exercise.options.timed is not None
        flops = exercise.options.timed(measured.judged).flops
        require_possible(measured, flops, curves.peak)
        timing = analysis.analyse(measured, curves, flops)
        return replace(
            timing,
            sandbox=self.box.level,
            clock=self._clock_name,
            threads=self.plan.threads,
            full=self.plan.full,
        )

    def _measure(self, exercise: Exercise, benchmark: InterleavedBenchmark) -> Measurement:
        assert exercise.options.timed is not None
        base = REFERENCE if REFERENCE in benchmark.contestants else TORCH
        if self.plan.full:
            return measure_fully(exercise.options.timed, benchmark, base, self.plan)
        edges = bands.edges_of(exercise.speed_policy)
        return BriefMeasurement(exercise.options.timed, benchmark, base, self.plan, edges).measure()

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

    def _sources(self, exercise: Exercise, student: Source) -> dict[str, Source]:
        """The student's source, those that it is compared with, and the control's."""
        ours = _our_sources(exercise)
        base = REFERENCE if REFERENCE in ours else TORCH
        chosen = ours if self.plan.full else {base: ours[base]} if base in ours else {}
        control = {CONTROL: ours[base]} if base in ours else {}
        of_torch = {MATH: math} if self.plan.full and (math := sources.read_math_source(exercise)) else {}
        return {STUDENT: student, **chosen, **of_torch, **control}

    def _measure_curves(self, exercise: Exercise) -> Curves:
        """What all submissions share; empty where it cannot be measured, which costs nobody anything."""
        assert exercise.options.timed is not None
        try:
            with self._benchmark(exercise, {REFERENCE: sources.product_source()}) as benchmark:
                peak = measure_peak(benchmark, REFERENCE)
            if self.plan.full:
                return Curves(peak=peak)
            with self._benchmark(exercise, _our_sources(exercise)) as benchmark:
                return replace(measure_curves(exercise.options.timed, benchmark, self.plan), peak=peak)
        except Exception:  # a fault of ours, whatever it is: the student's own times need none of this
            return Curves()

    @contextlib.contextmanager
    def _benchmark(self, exercise: Exercise, by_name: Mapping[str, Source]) -> Iterator[InterleavedBenchmark]:
        """Load contestants, each in its own process."""
        dtype = self.draws.dtype or torch.float32
        weights = CommonWeights(exercise, dtype)
        benchmark = InterleavedBenchmark({}, dtype, self.plan.cpu_s)
        try:
            for name, code in by_name.items():
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
        if name == STUDENT or self.box.level.several:
            return self.box
        if name not in self._boxes:
            self._boxes[name] = Box(self.box.level, self.box.limits, self.box.device)
        return self._boxes[name]


@contextlib.contextmanager
def open_stopwatch(box: Box, draws: Draws, plan: Plan | None) -> Iterator[Stopwatch | None]:
    """A stopwatch for submissions in this box, closed at the end; None where nothing is timed."""
    stopwatch = Stopwatch(box, draws, plan) if plan else None
    try:
        yield stopwatch
    finally:
        if stopwatch:
            stopwatch.close()


def _our_sources(exercise: Exercise) -> dict[str, Source]:
    found = {
        REFERENCE: sources.read_reference_source(exercise.name, exercise.symbol),
        TORCH: sources.read_torch_source(exercise),
    }
    return {name: source for name, source in found.items() if source is not None}


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


def _tell_error(error: Raised) -> str:
    if isinstance(error, RaisedByStudent) and error.limit is not None:  # a sentence about the limit
        return tr("while it was timed: {lost}", lost=error)
    return tr("while it was timed it raised {error}", error=error)
