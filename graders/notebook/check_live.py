"""Checks of live objects in the process where they live, by the checks, draws and judge of what is handed in.

It is a look at one's own work. There is no box around the code, and points that need the reference stay open.
"""

import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any

from graders.candidate.remote_candidate import RemoteCandidate
from graders.check_api.check import Check
from graders.course.exercise import Assignment, Exercise, load_assignment
from graders.extraction.extract import Source
from graders.extraction.stub import is_untouched
from graders.judging import score
from graders.judging.draws import Draws
from graders.judging.judge import judge_exercise
from graders.language import Language, spoken, tr
from graders.notebook.find_exercise import NotMeant, at_work, checkable, name_of, named
from graders.notebook.in_process import InProcessSession
from graders.notebook.restore_state import apart
from graders.notebook.source_places import Places
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
class Wanted:
    """An exercise and the object that answers it."""

    assignment: str
    exercise: Exercise
    made: Any


@dataclass
class NotebookChecker:
    """Keeps for a whole session what checking needs: draws with their answers, made when first asked for."""

    places: Places
    _draws: Draws | None = None
    _assignments: dict[tuple[str, Language], Assignment] = field(default_factory=dict)

    def named(self, name: str, names: Mapping[str, Any], assignment: str | None) -> Wanted:
        """What a name means in a namespace.

        Raises:
            UnknownName: there is no exercise or assignment of this name.
            NotMeant: it cannot be checked; the sentence says why.
        """
        asked, exercise = named(name, names, assignment)
        found = self._exercise(asked, exercise)
        if found.symbol not in names:
            raise NotMeant(tr("{symbol} is not defined here: has its cell been run?", symbol=found.symbol))
        return self._wanted(asked, found, names[found.symbol])

    def meant(self, made: Any, name: str | None, names: Mapping[str, Any], assignment: str | None) -> Wanted:
        """What an object answers, by its own name or by `name`.

        Raises:
            UnknownName: there is no exercise or assignment of this name.
            NotMeant: it cannot be checked; the sentence says why.
        """
        asked, exercise = named(name or name_of(made, names), names, assignment)
        return self._wanted(asked, self._exercise(asked, exercise), made)

    def at_work(self, names: Mapping[str, Any], assignment: str | None) -> list[Wanted]:
        """All that is defined of an assignment.

        Raises:
            UnknownName: there is no such assignment.
            NotMeant: nothing is defined of it.
        """
        pairs = [(asked, self._exercise(asked, one)) for asked, one in at_work(names, assignment)]
        return [Wanted(asked, one, names[one.symbol]) for asked, one in pairs if one.rule is None]

    def looked(self, wanted: Sequence[Wanted]) -> tuple[Result, KeyboardInterrupt | None]:
        """The result for these, and the interruption where one ended it."""
        start = time.monotonic()
        draws = self._draws = self._draws or Draws(SEED)
        results: list[ExerciseResult] = []
        remarks: list[Remark] = []
        stopped = None
        for asked in wanted:
            check = _ExerciseCheck(asked.exercise, asked.made, draws, self.places)
            results.append(check.result(remarks))
            if stopped := check.stopped:
                break
        assignment = self._assignment(wanted[0].assignment)
        run = score.Run(draws.seed, SANDBOX, "cpu")
        result = score.submission_result(assignment, SubmissionInfo("", (), ""), results, remarks, run)
        return replace(result, seconds=round(time.monotonic() - start, 3)), stopped

    def _wanted(self, assignment: str, exercise: Exercise, made: Any) -> Wanted:
        if exercise.rule is not None:
            raise NotMeant(tr("a trained model is judged with its checkpoint: use softmark check FILE"))
        checkable(made)
        return Wanted(assignment, exercise, made)

    def _exercise(self, assignment: str, name: str) -> Exercise:
        return self._assignment(assignment).only([name]).exercises[0]

    def _assignment(self, name: str) -> Assignment:
        key = name, spoken()
        if key not in self._assignments:
            self._assignments[key] = load_assignment(name)
        return self._assignments[key]


@dataclass
class _ExerciseCheck:
    """One exercise, one object. `stopped` is set where the person interrupted it."""

    exercise: Exercise
    made: Any
    draws: Draws
    places: Places
    stopped: KeyboardInterrupt | None = None

    def result(self, remarks: list[Remark]) -> ExerciseResult:
        exercise = self.exercise
        found = self.places.definition(self.made)
        definitions = (found[1],) if found else ()
        if found and is_untouched(found[0], exercise.symbol, exercise.handed_out):
            says = tr("{symbol} is still as it was handed out", symbol=exercise.symbol)
            return score.unjudged_result(exercise, Outcome.NOT_ATTEMPTED, says, definitions)
        session = InProcessSession(self.made, apart)
        candidate = RemoteCandidate(
            session,
            Source(exercise.symbol, (), definitions, ()),
            partial(self.draws.mapping_draws, exercise),
            place_of_line=self.places.place,
        )
        result = judge_exercise(exercise, self.draws, session, candidate, interrupted=self._interrupted)
        remarks += candidate.remarks
        return result

    def _interrupted(self, check: Check, interruption: KeyboardInterrupt) -> Finding:
        self.stopped = interruption
        place = self.places.raised(interruption)
        return Finding(
            check=check.name,
            outcome=Outcome.SKIPPED,
            points=0,
            max_points=self.exercise.points_of(check),
            says=check.says,
            message=_where(place),
            place=place,
        )


def _where(place: Place | None) -> str:
    if place is None:
        return tr("you stopped it here; what follows was not tried")
    return tr(
        "you stopped it in {file}, line {line}; what follows was not tried", file=place.file, line=place.line
    )
