"""Code that no known mistake explains: it must not be named.

Each neighbour is a right answer or a known mistake, sometimes in another style, with one small change
(`mutate.py`). It is graded as a student's. Where mistakes are named, it is told by numbers, on draws of other
sizes, whether the code does what they do: if not, the name is false. What a student is told counts, from the
smallest case as well: so code that seems falsely named is graded once more with the search for that.
"""

import random
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from functools import partial

from graders.audit.load_exercises import ExercisesToAudit
from graders.audit.names.draw_neighbour import Neighbour, changeable_answers, draw_neighbour, in_file
from graders.audit.names.fresh_draws import fresh_draws
from graders.audit.names.is_true import Truth
from graders.audit.names.mutate import own_functions
from graders.audit.try_each import try_each
from graders.batch import grade_all
from graders.candidate.remote_candidate import RemoteCandidate
from graders.course.exercise import Exercise
from graders.diagnosis.fingerprint import is_behaviour_trial
from graders.grade import Grader
from graders.results.audit_result import FalseName, Kind, NeighbouredExercise
from graders.results.result import ExerciseResult, Outcome


def try_neighbours(
    loaded: ExercisesToAudit, plan: grade_all.ClassPlan, jobs: int, count: int
) -> Iterator[NeighbouredExercise]:
    """Try so many neighbours of each exercise; the result of each exercise, as it comes.

    Args:
        loaded: the exercises.
        plan: the draws, whose seed draws the neighbours too, and the box; its assignment has all exercises.
        jobs: how many processes.
        count: how many neighbours of each exercise.
    """
    yield from try_each(loaded, plan, jobs, ask=partial(_try_exercise, count=count), with_gap=_with_gap)


def _with_gap(name: str, why: str) -> NeighbouredExercise:
    return NeighbouredExercise(name, gaps=(why,))


def _try_exercise(grader: Grader, count: int) -> NeighbouredExercise:
    [exercise] = grader.assignment.exercises
    return NeighbourTrial(grader, exercise).run(count)


class NeighbourTrial:
    """The neighbours of one exercise's known answers."""

    def __init__(self, grader: Grader, exercise: Exercise) -> None:
        self._grader, self._exercise = grader, exercise
        fresh = fresh_draws(exercise, grader.draws)
        self._truth, self._of_behaviour = Truth(exercise, grader.draws, fresh), is_behaviour_trial(fresh[0])
        self._answers = changeable_answers(exercise)
        self._as_of_students = replace(grader, draws=grader.draws.with_search())

    def run(self, count: int) -> NeighbouredExercise:
        """Try so many neighbours."""
        seed = f"{self._grader.draws.seed} {self._exercise.name} neighbours"
        numbers = random.Random(seed)  # noqa: S311 - no secret
        right = named = unjudged = 0
        false: list[FalseName] = []
        for _ in range(count):
            neighbour = self.draw(numbers)
            result = self._grade(neighbour)
            right += result.outcome is Outcome.PASSED
            named += bool(named_in(result))
            untrue = self._untrue_in(neighbour, result)
            if untrue:
                result = self._grade(neighbour, self._as_of_students)
                untrue = self._untrue_in(neighbour, result)
            if untrue and not self._can_be_judged(neighbour):
                unjudged += 1
            elif untrue:
                false.append(self._describe(neighbour, untrue, result))
        return NeighbouredExercise(
            name=self._exercise.name,
            tried=count,
            right=right,
            named=named,
            unjudged=unjudged,
            false=tuple(false),
        )

    def draw(self, numbers: random.Random) -> Neighbour:
        """A neighbour that the generator gives."""
        return draw_neighbour(self._answers, numbers)

    def _untrue_in(self, neighbour: Neighbour, result: ExerciseResult) -> set[tuple[str, ...]]:
        several = named_in(result)
        return self.untrue(neighbour, several) if several else set()

    def untrue(self, neighbour: Neighbour, several: set[tuple[str, ...]]) -> set[tuple[str, ...]]:
        """Those of the alternatives that do not hold of a neighbour."""
        measured = {*self._exercise.mistakes_of_cost}  # what the clock tells, no answer shows
        asked = {n for n in several if not measured.issuperset(n) and not self._is_kept(neighbour, n)}
        if not asked:
            return set()
        with self._candidate(neighbour.text) as candidate:
            if candidate is None:
                return asked
            untrue = {names for names in asked if not self._is_true(candidate, neighbour, names)}
            # What several checks find stands in several alternatives, and is true together.
            together = tuple(sorted({name for names in several for name in names}))
            alone = len(several) == 1 or not untrue
            return untrue if alone or not self._truth.tells_true(candidate, together) else set()

    def _is_true(self, candidate: RemoteCandidate, neighbour: Neighbour, names: tuple[str, ...]) -> bool:
        """Whether the code makes these mistakes, alone or beside the one that it made before.

        What it made before may not show where the checks fail, and is then not named.
        """
        made = () if neighbour.kind is not Kind.MISTAKE or neighbour.name in names else (neighbour.name,)
        beside = tuple(sorted((*names, *made)))
        return self._truth.tells_true(candidate, names) or (
            bool(made) and self._truth.tells_true(candidate, beside)
        )

    def _is_kept(self, neighbour: Neighbour, names: tuple[str, ...]) -> bool:
        """Whether it is the mistake that the code made before, and the change stands elsewhere in it."""
        if neighbour.kind is not Kind.MISTAKE or names != (neighbour.name,):
            return False
        return neighbour.mutation.within not in own_functions(self._exercise, neighbour.name)

    def _can_be_judged(self, neighbour: Neighbour) -> bool:
        """Whether a right answer gives the reference's values on the fresh draws before it is changed.

        Code that fixes a size itself is judged at that size, which these draws do not have.
        """
        if neighbour.kind is Kind.MISTAKE or self._of_behaviour:
            return True
        with self._candidate(neighbour.before) as candidate:
            return candidate is not None and self._truth.is_right(candidate)

    def _grade(self, neighbour: Neighbour, grader: Grader | None = None) -> ExerciseResult:
        with in_file(neighbour.text) as path:
            [result] = (grader or self._grader).grade(path, "answer").exercises
        return result

    @contextmanager
    def _candidate(self, text: str) -> Iterator[RemoteCandidate | None]:
        with in_file(text) as path, self._grader.candidate_at(path) as candidate:
            yield candidate

    def _describe(
        self, neighbour: Neighbour, untrue: set[tuple[str, ...]], result: ExerciseResult
    ) -> FalseName:
        wrong = tuple(f.check for f in result.findings if f.outcome is not Outcome.PASSED)
        return FalseName(
            kind=neighbour.kind,
            name=neighbour.name,
            styles=neighbour.styles,
            change=neighbour.mutation.kind,
            named=tuple(sorted(untrue)),
            failed=wrong,
            text=neighbour.text,
            before=neighbour.before,
        )


def named_in(result: ExerciseResult) -> set[tuple[str, ...]]:
    """The alternatives that are named anywhere in a result."""
    return {tuple(m.name for m in several) for f in result.findings for several in f.mistakes}
