"""Check objects of a notebook in its own process, with the checks and draws that grade a submission.

For a student's own work: the code is not isolated, and points that need the reference stay undecided.
"""

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from typing import Any

from graders.answer_key.find_keys import find_keys
from graders.candidate.remote_candidate import RemoteCandidate
from graders.check_api.check import Check
from graders.course.exercise import Assignment, Exercise, load_assignment
from graders.extraction.extract import Source
from graders.extraction.stub import is_untouched
from graders.judging import score
from graders.judging.draws import Draws
from graders.judging.judge_exercise import is_found_wrong, judge_exercise
from graders.judging.part_verdicts import PartVerdicts, is_wrong
from graders.language import Language, current_language, tr
from graders.notebook.find_exercise import (
    NotCheckable,
    find_by_name,
    find_defined,
    name_of,
    require_checkable,
)
from graders.notebook.in_process import InProcessSession
from graders.notebook.kept_verdicts import KeptVerdicts
from graders.notebook.live_source import source_of
from graders.notebook.reach import Reach
from graders.notebook.restore_state import isolating_calls
from graders.notebook.source_places import Places
from graders.notebook.trained_model import find_checkpoint, judge_trained
from graders.results.describe_place import describe_place
from graders.results.result import (
    ExerciseResult,
    Finding,
    Outcome,
    Place,
    Remark,
    Result,
    SubmissionInfo,
)

SEED = 1  # that of `softmark check`
SANDBOX = "notebook"


@dataclass(frozen=True)
class Target:
    """An exercise, and the object of the notebook that answers it; `beside` are those that come with it."""

    assignment: str
    exercise: Exercise
    value: Any
    beside: Mapping[str, Any] = field(default_factory=dict)


@dataclass
class NotebookChecker:
    """Checks objects of a notebook. The first check makes the draws and answers; later ones reuse them.

    `folders` gives those where the notebook may lie, and the answer key beside it; `unused_keys` says which
    keys the last check did not use, and why.
    """

    places: Places
    folders: Callable[[], Sequence[Path]] = tuple
    _draws: Draws | None = None
    _keys: tuple[object, ...] = ()  # those by which the draws are decided
    unused_keys: Sequence[str] = ()
    _assignments: dict[tuple[str, Language], Assignment] = field(default_factory=dict)
    _verdicts: KeptVerdicts = field(default_factory=KeptVerdicts)

    def find_by_name(self, name: str, names: Mapping[str, Any], assignment: str | None) -> Target:
        """The exercise of a name, and the object that answers it in a namespace.

        Raises:
            UnknownName: there is no exercise or assignment of this name.
            NotCheckable: it cannot be checked; the sentence says why.
        """
        assignment, exercise_name = find_by_name(name, names, assignment)
        exercise = self._exercise(assignment, exercise_name)
        symbol = exercise.symbol
        if symbol not in names:
            raise NotCheckable(tr("{symbol} is not defined here: has its cell been run?", symbol=symbol))
        return self._target(assignment, exercise, names[symbol], names)

    def find_by_object(
        self, value: Any, name: str | None, names: Mapping[str, Any], assignment: str | None
    ) -> Target:
        """The exercise that an object answers, found by `name` or by the object's own name.

        Raises:
            UnknownName: there is no exercise or assignment of this name.
            NotCheckable: it cannot be checked; the sentence says why.
        """
        assignment, exercise = find_by_name(name or name_of(value, names), names, assignment)
        return self._target(assignment, self._exercise(assignment, exercise), value, names)

    def find_defined(self, names: Mapping[str, Any], assignment: str | None) -> list[Target]:
        """All exercises of an assignment whose symbol is defined; a trained model only if its file is there.

        Raises:
            UnknownName: there is no such assignment.
            NotCheckable: no symbol is defined.
        """
        pairs = [(a, self._exercise(a, name)) for a, name in find_defined(names, assignment)]
        found = [(a, e) for a, e in pairs if e.symbol in names and (e.rule is None or find_checkpoint())]
        return [self._target(a, e, names[e.symbol], names) for a, e in found]

    def find_undefined(self, targets: Sequence[Target]) -> list[str]:
        """The exercises of the targets' assignment that are not among them, except for trained models."""
        found = {target.exercise.name for target in targets}
        every = self._assignment(targets[0].assignment).exercises
        return [exercise.name for exercise in every if exercise.rule is None and exercise.name not in found]

    def check(self, targets: Sequence[Target]) -> tuple[Result, KeyboardInterrupt | None]:
        """The result of the targets. If the person interrupted the check, also the interruption."""
        start = time.monotonic()
        draws = self._get_draws()
        results: list[ExerciseResult] = []
        remarks: list[Remark] = []
        stopped = None
        assignment = self._assignment(targets[0].assignment)
        for target in targets:
            check = _ExerciseCheck(target, assignment, draws, self.places, self._verdicts)
            results.append(check.judge(remarks))
            if stopped := check.stopped:
                break
        self.unused_keys = draws.describe_unused_keys(assignment.name, [t.exercise for t in targets])
        remarks[:0] = map(Remark, self.unused_keys)
        run = score.Run(draws.seed, SANDBOX, "cpu")
        result = score.submission_result(assignment, SubmissionInfo("", (), ""), results, remarks, run)
        return replace(result, seconds=round(time.monotonic() - start, 3)), stopped

    def _get_draws(self) -> Draws:
        """The draws; made again where another key has come since, as in a handout that was corrected."""
        keys = find_keys(SEED, self.folders())
        files = tuple((found.path, found.path.stat().st_mtime_ns) for found in keys.found) if keys else ()
        if self._draws is None or files != self._keys:
            self._draws, self._keys = Draws(SEED, key=keys), files
            self._verdicts = KeptVerdicts()  # they were found with the other key
        return self._draws

    def _target(self, assignment: str, exercise: Exercise, value: Any, names: Mapping[str, Any]) -> Target:
        require_checkable(value)
        return Target(
            assignment, exercise, value, {n: names[n] for n in exercise.options.beside if n in names}
        )

    def _exercise(self, assignment: str, name: str) -> Exercise:
        return self._assignment(assignment).only([name]).exercises[0]

    def _assignment(self, name: str) -> Assignment:
        key = name, current_language()
        if key not in self._assignments:
            self._assignments[key] = load_assignment(name)
        return self._assignments[key]


@dataclass(frozen=True)
class _Code:
    """An object that can be judged: how it is asked, and what its code reaches."""

    session: InProcessSession
    candidate: RemoteCandidate
    reach: Reach

    @property
    def names(self) -> frozenset[str]:
        """The names that the code reads."""
        return self.candidate.source.names


@dataclass
class _ExerciseCheck:
    """One exercise and one object. `stopped` is the interruption, if the person interrupted the check."""

    target: Target
    assignment: Assignment
    draws: Draws
    places: Places
    kept: KeptVerdicts
    stopped: KeyboardInterrupt | None = None

    def judge(self, remarks: list[Remark]) -> ExerciseResult:
        exercise = self.target.exercise
        if exercise.fault is not None:
            return score.broken_file_result(exercise, exercise.fault)
        code = self._open(exercise, self.target.value)
        if isinstance(code, ExerciseResult):
            return code
        if exercise.rule is not None:
            return self._judge_trained(code.candidate.source)
        objects = {name.name: name.value for name in code.reach.names}
        verdicts = PartVerdicts(
            self.assignment.exercises,
            lambda part: self._is_wrong(part, objects[part.symbol], verdicts),
        )
        result = judge_exercise(
            exercise,
            self.draws,
            code.session,
            code.candidate,
            partial(verdicts.wrong_parts, exercise, code.names),
            interrupted=self._interrupted,
        )
        if self.stopped is None:
            self._keep(exercise, code, is_wrong(exercise, result))
        remarks += code.candidate.remarks
        return result

    def _judge_trained(self, model: Source) -> ExerciseResult:
        names = {model.symbol: self.target.value, **self.target.beside}
        try:
            return judge_trained(self.target.exercise, model, names, self.places, self.draws.seed)
        except KeyboardInterrupt as interruption:
            self.stopped = interruption
            says = _interruption_message(self.places.place_of_error(interruption))
            return score.unjudged_result(self.target.exercise, Outcome.SKIPPED, says, model.definitions)

    def _is_wrong(self, part: Exercise, value: Any, verdicts: PartVerdicts) -> bool:
        """Whether a part is wrong; not found out again while its code is the same."""
        code = self._open(part, value)
        if isinstance(code, ExerciseResult):
            return is_wrong(part, code)
        wrong = self.kept.find(self.target.assignment, part.symbol, code.reach)
        if wrong is None:
            wrong_parts = partial(verdicts.wrong_parts, part, code.names)
            wrong = is_found_wrong(part, self.draws, code.session, code.candidate, wrong_parts)
            self._keep(part, code, wrong)
        return wrong

    def _keep(self, exercise: Exercise, code: _Code, wrong: bool) -> None:
        self.kept.keep(self.target.assignment, exercise.symbol, code.reach, wrong)

    def _open(self, exercise: Exercise, value: Any) -> _Code | ExerciseResult:
        """An object to be judged; its result where it is as it was handed out, or cannot answer yet."""
        definition = self.places.definition(value)
        definitions = (definition[1],) if definition else ()
        if definition and is_untouched(definition[0], exercise.symbol, exercise.handed_out):
            message = tr("{symbol} is still as it was handed out", symbol=exercise.symbol)
            return score.unjudged_result(exercise, Outcome.NOT_ATTEMPTED, message, definitions)
        if unwritten := self.places.unwritten(value, exercise.symbol, exercise.handed_out):
            says, place = unwritten
            result = score.unjudged_result(exercise, Outcome.UNFINISHED, says, definitions)
            return score.at_place(result, place)
        source, reach = source_of(value, exercise, self.places)
        session = InProcessSession(value, isolating_calls(), reach)
        mapping_draws = partial(self.draws.mapping_draws, exercise)
        candidate = RemoteCandidate(session, source, mapping_draws, place_of_line=self.places.place)
        return _Code(session, candidate, reach)

    def _interrupted(self, check: Check, interruption: KeyboardInterrupt) -> Finding:
        self.stopped = interruption
        place = self.places.place_of_error(interruption)
        return Finding(
            check=check.name,
            outcome=Outcome.SKIPPED,
            points=0,
            max_points=self.target.exercise.points_of(check),
            says=check.says,
            message=_interruption_message(place),
            place=place,
        )


def _interruption_message(place: Place | None) -> str:
    if place is None:
        return tr("you stopped it here; what follows was not tried")
    return tr("you stopped it at {place}; what follows was not tried", place=describe_place(place))
