"""A mark in a few sentences, for the cell that a student reads beside the grade."""

from collections.abc import Iterator

from graders.classroom.marks import Mark, Override
from graders.language import tr, trn
from graders.results.result import ExerciseResult, Result
from reports import words

OURS = "softmark: "  # how a feedback begins that may be written anew


def feedback(mark: Mark, result: Result | None) -> str:
    """The points of each exercise, what the instructor set, and lateness; nothing that a student wrote.

    It is in the language of the result.
    """
    with words.in_its_language(result):
        return OURS + tr("; ").join(_parts(mark, result))


def _parts(mark: Mark, result: Result | None) -> Iterator[str]:
    whole = mark.whole
    if mark.points is not None:
        yield words.total(mark.points, mark.max_points, mark.undecided)
    if whole:
        yield _set(whole.comment)
    for exercise in result.exercises if result and not whole else ():
        yield _exercise(exercise, mark.override(exercise.name))
    if mark.late:
        yield trn("{late}, {n} point less", "{late}, {n} points less", mark.late.lost, late=mark.late.says)


def _exercise(exercise: ExerciseResult, override: Override | None) -> str:
    if override:
        score = words.score(override.points, exercise.max_points)
        return f"{exercise.title} {score} {_set(override.comment)}"
    score = words.score(exercise.points, exercise.max_points)
    return f"{exercise.title} {score}, {words.outcome_words(exercise.outcome).word}"


def _set(comment: str) -> str:
    text = " ".join(comment.split())
    return tr("set by your instructor ({comment})", comment=text) if text else tr("set by your instructor")
