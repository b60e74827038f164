"""What an earlier grading gave for the same files, and what counts where a new one gives less."""

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass

from graders.classroom.class_record import Before, ExerciseBefore
from graders.results.result import ExerciseResult, Result

EQUAL, ROUNDED = 1e-6, 0.0101  # points: to give results another scale may change the last digit


@dataclass(frozen=True, slots=True)
class ChangedExercise:
    """The points of an exercise before and now, on the scale of now."""

    name: str
    title: str
    before: float
    after: float


@dataclass(frozen=True, slots=True)
class Regrade:
    """What changed since an earlier grading of the same files.

    Attributes:
        before: the machine's points then, on the scale of now.
        after: those of now.
        exercises: the exercises whose points differ.
    """

    before: float
    after: float
    exercises: tuple[ChangedExercise, ...]

    def lost(self, besides: Collection[str | None]) -> float:
        """The points that are lost in all exercises but some; 0 where none are."""
        lost = sum(each.before - each.after for each in self.exercises if each.name not in besides)
        return max(0.0, round(lost, 4))


def before_of(result: Result) -> Before:
    """What a grading gave for the checks of a submission."""
    exercises = [exercise for exercise in result.exercises if exercise.answer is None]
    return Before(
        result.submission.id,
        result.submission.sha256,
        tuple(ExerciseBefore(e.name, float(e.points), float(e.max_points)) for e in exercises),
    )


def keep_highest(results: Iterable[Result], known: Sequence[Before], raised: Collection[str]) -> list[Before]:
    """What a grading gave for a class; where it counted an earlier one's points, these.

    Args:
        results: of the grading.
        known: what the grading before it gave.
        raised: the ids for which that counted.
    """
    earlier = {before.id: before for before in known}
    return [
        earlier[result.submission.id] if result.submission.id in raised else before_of(result)
        for result in results
    ]


def find_regrade(result: Result | None, before: Before | None) -> Regrade | None:
    """What changed since an earlier grading; None if nothing did, or if it was of other files."""
    if result is None or before is None or result.submission.sha256 != before.sha256:
        return None
    then = {each.name: each for each in before.exercises if each.max_points}
    pairs = [(e, then[e.name]) for e in result.exercises if e.answer is None and e.name in then]
    changed = tuple(change for pair in pairs if (change := _change(*pair)))
    if not changed:
        return None
    gained = sum(each.after - each.before for each in changed)
    return Regrade(round(result.points - gained, 2), result.points, changed)


def _change(now: ExerciseResult, before: ExerciseBefore) -> ChangedExercise | None:
    points = round(before.points * now.max_points / before.max_points, 2)
    equal = EQUAL if now.max_points == before.max_points else ROUNDED
    if abs(points - now.points) <= equal:
        return None
    return ChangedExercise(now.name, now.title, points, now.points)
