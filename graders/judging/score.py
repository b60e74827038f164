"""Points and outcomes, from findings to an exercise's result to a submission's."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from importlib.metadata import version

import torch

from graders.course.exercise import Assignment, Exercise
from graders.judging import speed_points
from graders.language import current_language, tr, translatable, trn
from graders.results.limit import Limit
from graders.results.measurements import Timing
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

# An exercise has the outcome of its worst check. With a check to be decided it is not passed.
WORST_FIRST = (
    Outcome.BROKEN,
    Outcome.OUT_OF_MEMORY,
    Outcome.TIMED_OUT,
    Outcome.FAILED,
    Outcome.RAISED,
    Outcome.SKIPPED,
    Outcome.PASSED,
)
REMARKS = 50  # of one submission; more would be noise
BROKEN_FILE = translatable(
    "a file of this exercise is broken; this costs no points, and your instructor is told"
)
OURS = translatable("softmark itself failed here; this costs no points, and your instructor is told")


@dataclass(frozen=True)
class Run:
    """What the results of one run have in common: the draws' seed, the isolation level, the device."""

    seed: int
    sandbox: str
    device: str


def exercise_result(
    exercise: Exercise, findings: Sequence[Finding], definitions: tuple[Definition, ...]
) -> ExerciseResult:
    """The result of an exercise whose checks ran; a remark of several checks stands at the first."""
    outcome = next(o for o in WORST_FIRST if any(f.outcome is o for f in findings))
    return ExerciseResult(
        name=exercise.name,
        title=exercise.title,
        outcome=outcome,
        points=_round_points(f.points for f in findings),
        max_points=exercise.points,
        findings=tuple(_remarked_once(findings)),
        undecided_points=_round_points(f.max_points for f in findings if f.outcome.undecided),
        definitions=definitions,
        symbol=exercise.symbol,
    )


def _remarked_once(findings: Iterable[Finding]) -> Iterator[Finding]:
    said: set[str | None] = set()
    for finding in findings:
        is_remark = finding.outcome is Outcome.PASSED
        yield replace(finding, message=None) if is_remark and finding.message in said else finding
        said |= {finding.message} if is_remark else set()


def with_timing(exercise: Exercise, result: ExerciseResult, timing: Timing | None) -> ExerciseResult:
    """The result with its timing, and with a finding for speed where the exercise has points for it."""
    finding = speed_points.speed_finding(exercise.speed_policy, result.outcome, timing)
    if finding is None:
        return replace(result, timing=timing)
    return replace(with_findings(exercise, result, [*result.findings, finding]), timing=timing)


def with_findings(exercise: Exercise, result: ExerciseResult, findings: Sequence[Finding]) -> ExerciseResult:
    """The result with other findings, and the outcome and the points that follow from them."""
    whole = exercise_result(exercise, findings, result.definitions)
    return replace(
        result,
        outcome=whole.outcome,
        points=whole.points,
        findings=whole.findings,
        undecided_points=whole.undecided_points,
    )


def unjudged_result(
    exercise: Exercise,
    outcome: Outcome,
    message: str,
    definitions: tuple[Definition, ...] = (),
    staff: str | None = None,
    limit: Limit | None = None,
) -> ExerciseResult:
    """The result of an exercise whose checks could not run: its symbol is missing or cannot be called."""
    return ExerciseResult(
        name=exercise.name,
        title=exercise.title,
        outcome=outcome,
        points=0,
        max_points=exercise.points,
        message=message,
        undecided_points=exercise.points if outcome.undecided else 0,
        definitions=definitions,
        staff=staff,
        limit=limit,
        symbol=exercise.symbol,
    )


def broken_file_result(exercise: Exercise, fault: str) -> ExerciseResult:
    """The result of an exercise whose own files are broken: its points are undecided."""
    return unjudged_result(exercise, Outcome.BROKEN, tr(BROKEN_FILE), staff=fault)


def at_place(result: ExerciseResult, place: Place | None) -> ExerciseResult:
    """The result of unfinished code, with the line that is still to be written."""
    return replace(result, place=place)


def broken_result(assignment: Assignment, submission: SubmissionInfo, staff: str, run: Run) -> Result:
    """The result of a submission on which softmark itself failed: all points are undecided, none are lost."""
    exercises = [unjudged_result(e, Outcome.BROKEN, tr(OURS), staff=staff) for e in assignment.exercises]
    return submission_result(assignment, submission, exercises, [], run)


def submission_result(
    assignment: Assignment,
    submission: SubmissionInfo,
    exercises: Sequence[ExerciseResult],
    remarks: Iterable[Remark],
    run: Run,
) -> Result:
    """The whole submission's result."""
    return Result(
        assignment=assignment.name,
        title=assignment.title,
        submission=submission,
        graded_at=datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ"),
        versions={"softmark": version("softmark"), "torch": str(torch.__version__)},
        device=run.device,
        seed=run.seed,
        sandbox=run.sandbox,
        points=_round_points(e.points for e in exercises),
        max_points=_round_points(e.max_points for e in exercises),
        undecided_points=_round_points(e.undecided_points for e in exercises),
        remarks=_first(tuple(dict.fromkeys(remarks))),
        exercises=tuple(exercises),
        language=current_language(),
    )


def _first(remarks: tuple[Remark, ...]) -> tuple[Remark, ...]:
    left_out = len(remarks) - REMARKS
    if left_out <= 0:
        return remarks
    more = trn("There is {n} more remark.", "There are {n} more remarks.", left_out)
    return (*remarks[:REMARKS], Remark(more))


def _round_points(points: Iterable[float]) -> float:
    # Points of checks are rounded to four digits; rounding the sum restores the total.
    return round(sum(points), 2)
