"""A mark in a few sentences, for the feedback that a student reads beside the grade."""

from collections.abc import Iterator

from graders.classroom.marks import Mark, Override
from graders.language import tr, trn
from graders.results.result import ExerciseResult, Outcome, Result
from reports import words
from reports.causes import group_by_cause

_COST_NOTHING = (Outcome.PASSED, Outcome.SKIPPED, Outcome.BROKEN)
PREFIX = "softmark: "  # of our own feedback, which may be overwritten


def feedback(mark: Mark, result: Result | None, *, with_causes: bool = False) -> str:
    """The points of each exercise, the overrides and the lateness; no text of a student's.

    It is in the language of the result.

    Args:
        mark: the mark.
        result: the result, where there is one.
        with_causes: whether each exercise says what its first lost check asks, and a known mistake's hint.
    """
    with words.in_its_language(result):
        return PREFIX + tr("; ").join(_parts(mark, result, with_causes=with_causes))


def _parts(mark: Mark, result: Result | None, *, with_causes: bool) -> Iterator[str]:
    whole = mark.whole
    if mark.points is not None:
        yield words.total(mark.points, mark.max_points, mark.undecided)
    if whole:
        yield _describe_override(whole.comment)
    if result and result.unreadable is not None and not whole:
        yield tr("something that was handed in could not be read: ask your instructor")
    for exercise in result.exercises if result and not whole else ():
        override = None if exercise.answer is not None else mark.override(exercise.name)
        cause = _describe_cause(exercise) if with_causes and override is None else None
        line = _exercise(exercise, override)
        yield words.about(line, cause) if cause else line
    yield from describe_comments(mark, result)
    yield from describe_regrade(mark)
    if mark.late:
        yield trn("{late}, {n} point less", "{late}, {n} points less", mark.late.lost, late=mark.late.says)


def describe_regrade(mark: Mark) -> Iterator[str]:
    """What changed since an earlier grading of the same files."""
    if mark.regrade:
        before, after = words.points(mark.regrade.before), words.points(mark.regrade.after)
        yield tr(
            "the same files graded again: {before} points before, {after} now", before=before, after=after
        )
    if mark.raised:
        raised = words.points(mark.raised)
        yield trn(
            "what was given before is not taken away: {raised} point more",
            "what was given before is not taken away: {raised} points more",
            mark.raised,
            raised=raised,
        )


def describe_comments(mark: Mark, result: Result | None) -> Iterator[str]:
    """What people say of the submission, each with its exercise and line."""
    titles = {e.name: e.title for e in result.exercises} if result else {}
    answers = {e.name for e in result.exercises if e.answer is not None} if result else set()
    for override in mark.overrides:
        if override.comment and override.exercise in answers:
            yield words.about(titles[override.exercise], " ".join(override.comment.split()))
    for comment in mark.comments:
        says = " ".join(words.with_points(comment).split())
        title = titles.get(comment.exercise or "")
        if title and comment.line is not None:
            title = tr("{exercise}, line {line}", exercise=title, line=comment.line)
        yield words.about(title, says) if title else says


def _describe_cause(exercise: ExerciseResult) -> str | None:
    """What the first lost check asks, the hint if a mistake is known, and how many causes there are more."""
    lost = [finding for finding in exercise.findings if finding.outcome not in _COST_NOTHING]
    causes = group_by_cause(lost)
    if not causes:
        return None
    first = causes[0].finding
    says = f"✗ {first.says}"
    if first.mistake:
        says = tr("{says} ({hint})", says=says, hint=words.hint(first.mistake).rstrip("."))
    more = len(causes) - 1
    return trn("{says}, and {n} more cause", "{says}, and {n} more causes", more, says=says) if more else says


def _exercise(exercise: ExerciseResult, override: Override | None) -> str:
    if override:
        score = words.score(override.points, exercise.max_points)
        return f"{exercise.title} {score} {_describe_override(override.comment)}"
    score = words.score(exercise.points, exercise.max_points)
    return f"{exercise.title} {score}, {words.exercise_word(exercise)}"


def _describe_override(comment: str) -> str:
    text = " ".join(comment.split())
    return tr("set by your instructor ({comment})", comment=text) if text else tr("set by your instructor")
