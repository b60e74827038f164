"""Tell which comments reach nobody, no exercise or no line, and whose points do not count."""

from collections.abc import Callable, Iterator, Sequence
from functools import lru_cache
from pathlib import Path

from graders.classroom.class_record import ClassRecord
from graders.classroom.comments import Comment, tell
from graders.classroom.mark_holders import MarkHolder, Names, mark_holders
from graders.classroom.marks import Marker, is_open_to_comments
from graders.classroom.questions import with_questions
from graders.classroom.rubric import NAME as RUBRIC
from graders.classroom.rubric import Question
from graders.language import list_names, tr, translatable
from graders.results.result import ExerciseResult, Result
from graders.results.store import read_result

KEPT = 64  # whole results
ReadWhole = Callable[[str], Result | None]


def check_comments(
    out: Path, results: Sequence[Result], class_record: ClassRecord, marker: Marker
) -> list[str]:
    """Return a sentence for each comment that reaches nobody, and for each whose points do not count.

    Args:
        out: the folder of the results, where whole results lie.
        results: those that count, with questions; they may be compact.
        class_record: the class.
        marker: which has the comments and the overrides.
    """
    names = Names(mark_holders({result.submission.id: result for result in results}, class_record))

    @lru_cache(maxsize=KEPT)  # rows about one submission mostly stand together
    def read_whole(submission: str) -> Result | None:
        latest = read_result(out, submission)
        return latest and marker.count(out, latest)[0]

    return [
        tell(comment, says)
        for comment in marker.comments
        for says in _check(comment, names, read_whole, marker)
    ]


def check_questions(results: Sequence[Result], questions: Sequence[Question]) -> list[str]:
    """Return a sentence for each question that has the name of an exercise, and is not asked therefore."""
    graded = {e.name for result in results for e in result.exercises if e.answer is None}
    message = translatable(
        "{file}, [questions.{name}]: an exercise has this name, and the question is not asked. "
        "Give it another."
    )
    return [tr(message, file=RUBRIC, name=each.name) for each in questions if each.name in graded]


def _check(comment: Comment, names: Names, read_whole: ReadWhole, marker: Marker) -> Iterator[str]:
    meant = names.find(comment.id)
    if not meant:
        several = names.is_unclear(comment.id)
        yield tr("several students have this id") if several else tr("nobody has this id")
        return
    holder = meant[0].holder
    if holder.result is None:
        if comment.exercise:
            yield tr("nothing of theirs is graded, so that there is nothing to comment on")
        return
    exercise = next((e for e in holder.result.exercises if e.name == comment.exercise), None)
    if comment.exercise is None:
        return
    if exercise is None:
        there = list_names([e.name for e in holder.result.exercises])
        yield tr("the assignment has no such exercise; there are {names}", names=there)
        return
    if comment.line is not None:
        yield from _check_line(comment, comment.line, read_whole(holder.id))
    if comment.points is not None:
        yield from _check_points(exercise, holder, marker)


def _check_line(comment: Comment, line: int, whole: Result | None) -> Iterator[str]:
    """Whether the line is one of the code that the student's page shows."""
    exercise = next((e for e in whole.exercises if e.name == comment.exercise), None) if whole else None
    if exercise is None:
        return
    ranges = [(d.line, d.line + d.code.rstrip("\n").count("\n")) for d in exercise.definitions]
    if not any(first <= line <= last for first, last in ranges):
        there = list_names([f"{first}-{last}" for first, last in ranges])
        message = translatable(
            "line {line} is none of the code that the student's page shows ({there}): the comment stands "
            "above it"
        )
        if not ranges:
            message = translatable("the exercise has no code with a line {line}: the comment stands without")
        yield tr(message, line=line, there=there)


def _check_points(exercise: ExerciseResult, holder: MarkHolder, marker: Marker) -> Iterator[str]:
    anew = with_questions(holder.result, marker.questions) if holder.result else None
    mark = anew and marker.mark(anew)
    override = mark and (mark.whole or mark.override(exercise.name))
    if override and override in marker.overrides:
        yield tr("its points do not count, since a line of overrides.csv sets the points")
    elif not is_open_to_comments(exercise):
        yield tr("its points do not count while points of the exercise are to be decided (overrides.csv)")
    elif override and override.points > exercise.max_points:
        yield tr(
            "with it the points are more than the {most} there are; they count",
            most=f"{exercise.max_points:g}",
        )
