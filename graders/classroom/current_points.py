"""Give a result the points and titles that its assignment has now: what it holds of checks are shares."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace

from graders.course.assignment_points import AssignmentPoints, ExercisePoints
from graders.course.check_points import IMPORTS, points_for_imports
from graders.course.outline import FOR_TIME
from graders.language import speaking, tr
from graders.results.compact import share
from graders.results.result import ExerciseResult, Finding, Outcome, Result

# By identity, since to compare contents takes as long: with the exercise, so that no other gets its identity.
Known = dict[tuple[int, str], tuple[ExerciseResult, ExerciseResult]]

ROUNDING = 1e-3  # points of checks are kept to four digits


def with_current_points(result: Result, now: AssignmentPoints | None, known: Known | None = None) -> Result:
    """The result with the points, the titles and the exercises of its assignment as it is now.

    An exercise that came later is undecided, and one that was taken out is left out. The same object where
    nothing is to change.

    Args:
        result: as it was graded.
        now: what the assignment is worth now; None where that is not known.
        known: exercises that many compact results share, and what came of them.
    """
    if now is None or now.name != result.assignment:
        return result
    there = {exercise.name: exercise for exercise in result.exercises if exercise.answer is None}
    of_checks = tuple(
        _remember(known, there[name], each, result, now) if name in there else _absent(name, each, result)
        for name, each in now.exercises.items()
    )
    exercises = (*of_checks, *(exercise for exercise in result.exercises if exercise.answer is not None))
    title = now.titles[result.language]
    is_same = len(exercises) == len(result.exercises) and all(map(_is, exercises, result.exercises))
    if is_same and title == result.title:
        return result
    changed = replace(
        result,
        title=title,
        exercises=exercises,
        points=_sum(e.points for e in exercises),
        max_points=_sum(e.max_points for e in exercises),
        undecided_points=_sum(e.undecided_points for e in exercises),
    )
    return share(changed)


def has_other_exercises(result: Result, now: AssignmentPoints | None) -> bool:
    """Whether a result lacks an exercise that its assignment has now, or has one that was taken out."""
    if now is None or now.name != result.assignment:
        return False
    return {exercise.name for exercise in result.exercises if exercise.answer is None} != set(now.exercises)


def _is(one: object, other: object) -> bool:
    return one is other


def _remember(
    known: Known | None, exercise: ExerciseResult, each: ExercisePoints, result: Result, now: AssignmentPoints
) -> ExerciseResult:
    if known is None:
        return _exercise(exercise, each, result, now)
    key = (id(exercise), result.language)
    if key not in known:
        known[key] = exercise, _exercise(exercise, each, result, now)
    return known[key][1]


def _exercise(
    exercise: ExerciseResult, each: ExercisePoints, result: Result, now: AssignmentPoints
) -> ExerciseResult:
    title = each.titles[result.language]
    lacks_speed = bool(exercise.findings) and not _has(exercise, FOR_TIME) and each.for_speed > 0
    if exercise.max_points == each.points and not lacks_speed and _is_for_speed(exercise, each.for_speed):
        return exercise if exercise.title == title else replace(exercise, title=title)
    findings = tuple(_findings(exercise, each, now.points_of_checks(exercise.name)))
    factor = each.points / exercise.max_points if exercise.max_points else 0.0
    points, undecided = exercise.points * factor, exercise.undecided_points * factor
    if findings:
        points = sum(finding.points for finding in findings)
        undecided = sum(finding.max_points for finding in findings if finding.outcome.undecided)
        undecided += each.for_speed if lacks_speed else 0.0
    return replace(
        exercise,
        title=title,
        points=round(min(points, each.points), 2),
        max_points=each.points,
        findings=findings,
        undecided_points=round(min(undecided, each.points), 2),
        not_counted=round(exercise.not_counted * factor, 2),
    )


def _findings(
    exercise: ExerciseResult, each: ExercisePoints, checks: Mapping[str, float]
) -> Iterator[Finding]:
    """The findings on the scale of the exercise as it is now."""
    of_checks = {f.check: f.max_points for f in exercise.findings if f.check not in (FOR_TIME, IMPORTS)}
    # The points of a check are rounded: where its checks file says them, they are those of a new grading.
    due = {name: points for name, points in checks.items() if name != FOR_TIME}
    if due.keys() != of_checks.keys():
        whole = sum(of_checks.values())
        factor = (each.points - each.for_speed) / whole if whole else 0.0
        due = {name: points * factor for name, points in of_checks.items()}
    due[FOR_TIME] = each.for_speed
    for_imports = points_for_imports(each.points) if _has(exercise, IMPORTS) else 0.0
    left = 1 - for_imports / each.points
    for finding in exercise.findings:
        most = for_imports if finding.check == IMPORTS else round(due[finding.check] * left, 4)
        reached = finding.points / finding.max_points if finding.max_points else 0.0
        yield replace(finding, points=round(reached * most, 4), max_points=most)


def _has(exercise: ExerciseResult, check: str) -> bool:
    return any(finding.check == check for finding in exercise.findings)


def _is_for_speed(exercise: ExerciseResult, points: float) -> bool:
    """Whether so many points of a result are for speed."""
    for_imports = sum(f.max_points for f in exercise.findings if f.check == IMPORTS)
    left = 1 - for_imports / exercise.max_points if exercise.max_points else 1.0
    for_speed = sum(f.max_points for f in exercise.findings if f.check == FOR_TIME)
    return not exercise.findings or abs(for_speed - points * left) < ROUNDING


def _absent(name: str, each: ExercisePoints, result: Result) -> ExerciseResult:
    with speaking(result.language):
        message = tr("this exercise was not part of the assignment when your code was graded")
    return ExerciseResult(
        name=name,
        title=each.titles[result.language],
        outcome=Outcome.SKIPPED,
        points=0,
        max_points=each.points,
        message=message,
        undecided_points=each.points,
    )


def _sum(points: Iterable[float]) -> float:
    return round(sum(points), 2)
