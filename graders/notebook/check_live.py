"""Checks of live objects in the process where they live, by the checks, draws and judge of what is handed in.

It is a look at one's own work. There is no box around the code, and points that need the reference stay open.
"""

import time
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any

from graders.course.exercise import Assignment, Exercise, load_assignment
from graders.extraction.extract import Source
from graders.extraction.stub import is_untouched
from graders.judging import score
from graders.judging.draws import Draws
from graders.judging.judge import Judge
from graders.language import Language, spoken, tr
from graders.notebook.find_exercise import NotMeant, at_work, checkable, name_of, named
from graders.notebook.in_process import InProcessSession, LocalObject
from graders.notebook.restore_state import apart
from graders.notebook.source_places import Places
from graders.results.result import (
    Definition,
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
    _deck: Draws | None = None
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
        deck = self._deck = self._deck or Draws(SEED)
        results: list[ExerciseResult] = []
        remarks: list[Remark] = []
        stopped = None
        for one in wanted:
            look = _ExerciseCheck(one.exercise, one.made, deck, self.places)
            results.append(look.result(remarks))
            if stopped := look.stopped:
                break
        assignment = self._assignment(wanted[0].assignment)
        run = score.Run(deck.seed, SANDBOX, "cpu")
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
    deck: Draws
    places: Places
    stopped: KeyboardInterrupt | None = None

    def result(self, remarks: list[Remark]) -> ExerciseResult:
        exercise = self.exercise
        defined = self.places.definition(self.made)
        definitions = (defined[1],) if defined else ()
        if defined and is_untouched(defined[0], exercise.symbol, exercise.handed_out):
            says = tr("{symbol} is still as it was handed out", symbol=exercise.symbol)
            return score.unjudged_result(exercise, Outcome.NOT_ATTEMPTED, says, definitions)
        turn = InProcessSession(self.made, apart)
        candidate = LocalObject(
            turn,
            Source(exercise.symbol, (), definitions, ()),
            partial(self.deck.mapping_draws, exercise),
            self.places,
        )
        candidate.load()
        if candidate.problem:
            return score.unjudged_result(exercise, Outcome.RAISED, candidate.problem, definitions)
        judge = Judge(exercise, self.deck, turn, candidate)
        findings = list(self._findings(judge))
        if not self.stopped:
            findings = judge.reasoned(findings, frozenset())
        if candidate.mapper.says:
            remarks.append(Remark(f"{exercise.symbol}: {candidate.mapper.says}"))
        return self._judged(findings, definitions)

    def _findings(self, judge: Judge) -> Iterable[Finding]:
        for check in self.exercise.checks:
            try:
                yield judge.finding(check)
            except KeyboardInterrupt as interruption:
                self.stopped = interruption
                place = self.places.raised(interruption)
                yield Finding(
                    check=check.name,
                    outcome=Outcome.SKIPPED,
                    points=0,
                    max_points=judge.points(check),
                    says=check.says,
                    message=_where(place),
                    place=place,
                )
                return

    def _judged(self, findings: list[Finding], definitions: tuple[Definition, ...]) -> ExerciseResult:
        result = score.exercise_result(self.exercise, findings, definitions)
        return score.with_timing(self.exercise, result, None)


def _where(place: Place | None) -> str:
    if place is None:
        return tr("you stopped it here; what follows was not tried")
    return tr(
        "you stopped it in {file}, line {line}; what follows was not tried", file=place.file, line=place.line
    )
