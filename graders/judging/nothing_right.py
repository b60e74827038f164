"""An answer of which nothing is right gets little, whatever properties it has.

A plain mean over what a mask shows is causal, obeys masks and treats sequences apart: more than half of the
checks hold for code that computes nothing of what is asked for. So checks that hold count for little while no
core check holds on any draw, at the sizes and under the masks that the code takes, with right parts in place
of wrong ones, and no known mistake explains why. A deviation and a mistake with a name keep what they have.
"""

from collections.abc import Iterator, Sequence
from dataclasses import replace

from graders.check_api.check import Check
from graders.course.exercise import Exercise
from graders.diagnosis.right_parts import RightParts
from graders.judging.judge import Judge, holds
from graders.judging.judge_around import candidate_around
from graders.judging.kept_draws import Example
from graders.results.result import ExerciseResult, Finding, Outcome
from graders.sandbox.process_lost import ProcessLost

MOST = 0.2  # of an exercise's points, where nothing of the answer is right
MOST_LOST = 2  # draws of a check that end its process: the others are not asked


def may_be_nothing_right(exercise: Exercise, findings: Sequence[Finding]) -> bool:
    """Whether every core check fails: then points depend on whether a known mistake explains that."""
    of_cores = _of_cores(exercise, findings)
    return bool(of_cores) and all(finding.outcome.wrong for finding in of_cores.values())


def is_nothing_right(judge: Judge, findings: Sequence[Finding], parts: RightParts | None) -> bool:
    """Whether every core check fails on every draw, and no known mistake explains one of them.

    Only code that would get more than `MOST` is asked again.

    Args:
        judge: has tried the checks, at the sizes and with the masks that the code takes.
        findings: of the checks, with the mistakes that explain them.
        parts: right ones, for those of the submission's parts that were found wrong.
    """
    if not may_be_nothing_right(judge.exercise, findings):
        return False
    of_cores = _of_cores(judge.exercise, findings)
    if any(finding.mistakes for finding in of_cores.values()) or not judge.explained.isdisjoint(of_cores):
        return False
    if any(finding.outcome is Outcome.FAILED and finding.staff for finding in of_cores.values()):
        return False  # the diagnosis failed, by a fault of ours
    if sum(finding.points for finding in findings) <= MOST * judge.exercise.points:
        return False
    checks = [check for check in judge.exercise.checks if check.name in of_cores]
    try:
        return not any(_is_right_somewhere(checks, *way) for way in _ways(judge, parts))
    except Exception:  # a fault of ours costs nobody points: those of the findings stay
        return False


def _of_cores(exercise: Exercise, findings: Sequence[Finding]) -> dict[str, Finding]:
    cores = {check.name for check in exercise.value_checks if check.core}
    return {finding.check: finding for finding in findings if finding.check in cores}


def count_little(exercise: Exercise, result: ExerciseResult) -> ExerciseResult:
    """The result of an answer of which nothing is right: the checks that hold share `MOST` of the points."""
    due = MOST * exercise.points
    got = sum(finding.points for finding in result.findings)
    if got <= due:
        return result
    findings = tuple(replace(f, points=round(f.points * due / got, 4)) for f in result.findings)
    points = round(due, 2)
    not_counted = round(result.points - points, 2)
    return replace(result, findings=findings, points=points, not_counted=not_counted)


def _ways(judge: Judge, parts: RightParts | None) -> Iterator[tuple[Judge, RightParts | None]]:
    """The judge of the code as it is; then with right parts, under each sense that the mask may have."""
    yield judge, None
    if parts is None:
        return
    with candidate_around(parts, judge.session, judge.candidate) as around:
        if around is None:
            return
        around.load()
        for reading in dict.fromkeys((None, around.mask_reading)):
            around.mask_reading = reading
            yield replace(judge, candidate=around, late=[], failures=None), parts


def _is_right_somewhere(checks: Sequence[Check], judge: Judge, parts: RightParts | None) -> bool:
    """Whether a core check holds on one of its draws; with right parts, on one on which they are used.

    Where checks without an answer say two halves of what is due, as what a mask hides and what it shows, one
    may have nothing to ask on a draw: then the others must hold there too.
    """
    kinds = {check.name: type(_draws_of(judge, check)[0].draw) for check in checks}
    for check in checks:
        alike = [c for c in checks if c.answer is None and kinds[c.name] is kinds[check.name]]
        halves = alike if check.answer is None else []
        lost = 0
        for example in _draws_of(judge, check):
            if parts is not None:
                parts.used.clear()
            result = judge.try_on(check, example)
            is_right = holds(result) and (parts is None or bool(parts.used))
            if is_right and all(holds(judge.try_on(half, example)) for half in halves):
                return True
            lost += isinstance(result, ProcessLost)
            if lost >= MOST_LOST:
                break
    return False


def _draws_of(judge: Judge, check: Check) -> list[Example]:
    return judge.draws.for_check(judge.exercise, check, judge.candidate.source.constants)
