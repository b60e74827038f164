"""A mark in a few sentences, for the cell that a student reads beside the grade."""

from graders.marks import Mark
from graders.result import Result
from reports import words

OURS = "softmark: "  # how a feedback begins that may be written anew


def feedback(mark: Mark, result: Result | None) -> str:
    """The points of each exercise, what the instructor set, and lateness; nothing that a student wrote."""
    parts = []
    whole = mark.whole
    if mark.points is not None:
        parts.append(words.total(mark.points, mark.max_points, mark.undecided))
    if whole:
        parts.append(f"set by your instructor{_comment(whole.comment)}")
    for exercise in result.exercises if result and not whole else ():
        override = mark.override(exercise.name)
        points = override.points if override else exercise.points
        why = f" set by your instructor{_comment(override.comment)}" if override else ""
        says = "" if override else f", {words.said(exercise.outcome).word}"
        parts.append(f"{exercise.title} {words.score(points, exercise.max_points)}{says}{why}")
    if mark.late:
        parts.append(f"{mark.late.says}, {words.plural(mark.late.lost, 'point')} less")
    return OURS + "; ".join(parts)


def _comment(comment: str) -> str:
    text = " ".join(comment.split())
    return f" ({text})" if text else ""
