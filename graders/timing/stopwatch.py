"""The stopwatch: how fast a student's code is beside the reference's and PyTorch's own way to the same.

Each runs in a process of its own, in boxes of the same kind, and they take turns. The reference also runs
against itself: where that does not come out even, the machine is too busy for any of it to mean something.
"""

import contextlib
import traceback
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from functools import partial
from itertools import product
from typing import Any

import torch

from graders.candidate.parameter_mapping.mapper import Undecidable
from graders.candidate.remote_candidate import RemoteCandidate
from graders.candidate.remote_values import RemoteModule
from graders.check_api.check import Raised, Violation
from graders.check_api.reference_answer import ReferenceAnswer
from graders.check_api.strategies.module_inputs import Given
from graders.check_api.strategies.tensors import MILD, weights
from graders.check_api.timed_call import Timed
from graders.course import reference
from graders.course.exercise import Exercise
from graders.extraction.extract import Source
from graders.judging.draws import Draws
from graders.language import tr, translatable
from graders.results.measurements import REFERENCE, Timing
from graders.safe_text import safe_text
from graders.sandbox.box import Box, BoxBroken
from graders.sandbox.isolation.level import IsolationLevel
from graders.sandbox.process_lost import ProcessLost
from graders.sandbox.session import BoxSession
from graders.timing import analysis, sources
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
    "its answers are not the reference's when it is called again and again with large inputs"
)
Laps = dict[tuple[int, bool], RoundTimes]


@dataclass(frozen=True)
class Plan:
    """What is measured. `judged` is the length that counts, or a shorter one where that takes too long.

    `seconds` bound the CPU time of one exercise's calls. At the judged length requests take `judged_s`, for
    at least twice `rounds` rounds and up to `most`, until the control lies in `even` and more would hardly
    change the ratios; at others `batch_s`, and `rounds` rounds, or `beyond` at greater lengths.
    `loops` is the factor by which a size grows to show a loop over it. PyTorch may use so many `threads`;
    the clock counts what they use together.
    """

    lengths: tuple[int, ...] = (64, 128, 256, 512, 1024, 2048)
    judged: int = 512
    seconds: float = 7.5
    judged_s: float = 0.02
    batch_s: float = 0.012
    rounds: int = 7
    most: int = 60
    beyond: int = 3
    even: tuple[float, float] = (0.95, 1.05)
    retries: int = 1
    loops: int = 8
    threads: int = 1


@dataclass
class Stopwatch:
    """Times exercises of submissions that run in `box`. Closed, it ends the boxes that it has started."""

    box: Box
    deck: Draws
    plan: Plan = Plan()
    _boxes: dict[str, Box] = field(default_factory=dict)

    def time(self, exercise: Exercise, source: Source) -> Timing:
        """How fast the student's code is. Never raises: what goes wrong is said in the timing."""
        try:
            return self._tried(exercise, source, self.plan.retries)
        except Differs:
            return self._none(refused=tr(REFUSED))
        except ProcessLost as lost:
            return self._none(refused=safe_text(tr("while it was timed: {lost}", lost=lost), 400))
        except Raised as error:
            return self._none(refused=safe_text(tr("while it was timed it raised {error}", error=error), 400))
        except (Undecidable, Violation) as error:
            return self._none(
                skipped=safe_text(tr("its weights could not be set: {error}", error=error), 400)
            )
        except NoClock as error:
            return self._none(skipped=str(error))
        except analysis.Uneven as error:
            return self._none(skipped=str(error), control=error.control)
        except (BoxBroken, BadFrame, OSError) as error:
            return self._none(skipped=tr("softmark itself failed here"), staff=str(error))
        except Exception:  # as with checks: no timing may cost what else was found
            return self._none(skipped=tr("softmark itself failed here"), staff=traceback.format_exc(limit=-6))

    def _tried(self, exercise: Exercise, source: Source, retries: int) -> Timing:
        """What is measured, in new processes where it is uneven: where memory lies can slow one down."""
        try:
            with self._race(exercise, source) as race:
                return self._measured(exercise, race)
        except analysis.Uneven:
            if not retries:
                raise
        return self._tried(exercise, source, retries - 1)

    def close(self) -> None:
        """End the boxes beside the submission's own."""
        for box in self._boxes.values():
            box.close()
        self._boxes.clear()

    def _none(self, **why: Any) -> Timing:
        return Timing(sandbox=self.box.level, clock=self._clock, threads=self.plan.threads, **why)

    @property
    def _clock(self) -> str:
        return "wall" if self.box.device == "cuda" else "cpu"

    @contextlib.contextmanager
    def _race(self, exercise: Exercise, source: Source) -> Iterator[InterleavedBenchmark]:
        dtype = self.deck.dtype or torch.float32
        weigh = _Weights(exercise, dtype)
        known = {STUDENT: source, TORCH: sources.of_torch(exercise)}
        found = sources.of_reference(exercise.name, exercise.symbol)
        known |= {REFERENCE: found, CONTROL: found} if found else {CONTROL: known[TORCH]}
        race = InterleavedBenchmark({}, dtype, self.plan.seconds)
        try:
            for name, each in known.items():
                if each is not None:
                    way = weigh.of_student if name == STUDENT else weigh.of_ours
                    proofs = partial(self.deck.mapping_draws, exercise) if name == STUDENT else list
                    made = partial(_boxed, proofs, self.deck.dtype)
                    race.contestants[name] = Contestant(self._box(name), each, made, way, self.plan.threads)
                    race.contestants[name].ready()
            yield race
        finally:
            for contestant in race.contestants.values():
                contestant.close()

    def _box(self, name: str) -> Box:
        """The submission's own where several processes may be side by side in it, else one for each."""
        if name == STUDENT or self.box.level in (IsolationLevel.NESTED, IsolationLevel.OPEN):
            return self.box
        if name not in self._boxes:
            self._boxes[name] = Box(self.box.level, self.box.limits, self.box.device)
        return self._boxes[name]

    def _measured(self, exercise: Exercise, race: InterleavedBenchmark) -> Timing:
        assert exercise.timed is not None
        base = REFERENCE if REFERENCE in race.contestants else TORCH
        loops = self._loops(exercise.timed, race, base)
        race.build(exercise.timed(self.plan.judged))
        # What the first call of all loads counts as nobody's.
        race.lap(exercise.timed(8), True, Budget(1, 0.0, 1), list(race.contestants))
        for contestant in race.contestants.values():
            contestant.rest()
        judged, laps = self._judged(exercise.timed, race, base)
        names = [name for name in race.contestants if name != CONTROL]
        memory = {name: race.contestants[name].peak() for name in names}
        stopped: tuple[int, str] | None = None
        for length, backward in product(self.plan.lengths, (False, True)):
            if length != judged and (stopped is None or length < stopped[0]):
                rounds = self.plan.rounds if length < judged else self.plan.beyond
                effort = Budget(rounds, self.plan.batch_s, rounds)
                try:
                    laps[length, backward] = race.lap(exercise.timed(length), backward, effort, names)
                except TooSlow:
                    stopped = length, tr("there was not the time for it")
                except (ProcessLost, Raised) as lost:  # at a greater length, it has done what counts
                    if length < judged:
                        raise
                    stopped = length, safe_text(str(lost), 200)
                    break
        found = analysis.Measurement(laps, memory, base, loops, judged, stopped)
        return replace(analysis.analyse(found, self.box.level, self._clock), threads=self.plan.threads)

    def _judged(self, timed: Callable[..., Timed], race: InterleavedBenchmark, base: str) -> tuple[int, Laps]:
        """The length that counts, and what was measured there."""

        def even(lap: RoundTimes) -> bool:
            return self.plan.even[0] <= lap.ratio(CONTROL, base) <= self.plan.even[1]

        def enough(lap: RoundTimes) -> bool:
            return even(lap) and all(lap.sure(name, base) for name in (STUDENT, CONTROL))

        least = Budget(2 * self.plan.rounds, self.plan.judged_s, self.plan.most, enough)
        # About a third of the time for each of the two, and a third for the other lengths.
        efforts = {b: replace(least, spare=self.plan.seconds * (0.35 if b else 0.65)) for b in (False, True)}
        for length in sorted((each for each in self.plan.lengths if each <= self.plan.judged), reverse=True):
            with contextlib.suppress(TooSlow):
                names = list(race.contestants)
                laps = {(length, b): race.lap(timed(length), b, efforts[b], names) for b in efforts}
                for lap in laps.values():
                    if not even(lap):
                        raise analysis.Uneven(lap.ratio(CONTROL, base))
                return length, laps
        raise NoClock(tr("even the shortest input takes more time than there is"))

    def _loops(self, timed: Callable[..., Timed], race: InterleavedBenchmark, base: str) -> tuple[str, ...]:
        """Of what the student's time grows with, at sizes at which the other's hardly does."""
        few, many = 8, 8 * self.plan.loops
        names = list(race.contestants)  # all, by turns: what a process has done before makes it slower
        tries = {
            "": timed(few),
            translatable("positions"): timed(many),
            translatable("heads"): timed(few, heads=4 * self.plan.loops),
            translatable("sequences in a batch"): timed(few, batch=self.plan.loops),
        }
        found = set(tries) - {""}
        for rounds in (7, 15):  # what seems to be a loop is looked at once more, since it may be chance
            times = {}
            for what in [each for each in tries if found and each in found | {""}]:
                race.build(tries[what])
                times[what] = race.lap(tries[what], False, Budget(rounds, 0.003, rounds), names)
            found = {w for w in found if analysis.grows(times[w], times[""], base, self.plan.loops)}
        return tuple(what for what in tries if what in found)


@contextlib.contextmanager
def stopwatch(box: Box, deck: Draws, threads: int = 1) -> Iterator[Stopwatch | None]:
    """A stopwatch for submissions in this box and for so many threads, closed in the end; none for none."""
    found = Stopwatch(box, deck, Plan(threads=threads)) if threads else None
    try:
        yield found
    finally:
        if found:
            found.close()


@dataclass(frozen=True)
class _Weights:
    """The same mild weights for all, of a seed and the reference's shapes."""

    exercise: Exercise
    dtype: torch.dtype

    def of_student(self, candidate: RemoteCandidate, config: dict[str, Any]) -> RemoteModule:
        """The student's module; where there is no reference, with weights of its own."""
        named = self._named(config)
        if named is None:
            return candidate.with_random_weights(1, **config)  # type: ignore[return-value]
        anything = torch.zeros(1, dtype=self.dtype)
        return candidate.with_reference_weights(
            ReferenceAnswer(_Draw(config, anything), named, anything, (), {})
        )  # type: ignore[return-value]

    def of_ours(self, candidate: RemoteCandidate, config: dict[str, Any]) -> RemoteModule:
        """The reference's or PyTorch's module, whose names are the same."""
        module = candidate.construct(**config)
        named = self._named(config) or weights(module.shapes(), 1, MILD)
        return module.load(named, self.dtype)

    def _named(self, config: dict[str, Any]) -> dict[str, torch.Tensor] | None:
        made = reference.reference(self.exercise.name, self.exercise.symbol)
        if made is None:
            return None
        shapes = {name: tuple(value.shape) for name, value in made(**config).named_parameters()}
        return weights(shapes, 1, MILD, dtype=self.dtype)


@dataclass(frozen=True, eq=False)
class _Draw(Given):
    """A draw that has a configuration and a dtype, and nothing to be called with."""

    anything: torch.Tensor


def _boxed(
    proofs: Callable[[], Any], dtype: torch.dtype | None, turn: BoxSession, source: Source
) -> RemoteCandidate:
    return RemoteCandidate(turn, source, proofs, dtype)
