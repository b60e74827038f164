"""The finding of a check `grows_as=`: what was measured where answers are right or their mistake is known."""

import traceback
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial

from graders.check_api.check import Check
from graders.course.exercise import Exercise
from graders.diagnosis.known_mistakes import KnownMistakes
from graders.judging import score
from graders.language import tr
from graders.results.measurements import CostCurve
from graders.results.mistakes import join_mistakes
from graders.results.result import Finding, Outcome


@dataclass(frozen=True)
class GrowthVerdict:
    """Whether a cost grows as is due; if not, how it does, and the mistake that does so; the measurements."""

    outcome: Outcome
    message: str | None = None
    mistake: str | None = None
    costs: tuple[CostCurve, ...] = ()


Measure = Callable[[Check], GrowthVerdict]


def choose_measure(
    grows: Callable[..., GrowthVerdict] | None,
    exercise: Exercise,
    findings: Sequence[Finding],
    around_parts: bool,
) -> Measure | None:
    """What measures growth: with wrong parts, or a mistake that has its name, code answers otherwise.

    Args:
        grows: measures it; with `answers_due=False` the answers may be others.
        exercise: the exercise.
        findings: of all its other checks.
        around_parts: whether the code was judged with right parts in the place of its own.
    """
    core = {check.name for check in exercise.checks if check.core}
    named = any(f.mistakes for f in findings if f.check in core and f.outcome.failed_or_raised)
    return partial(grows, answers_due=False) if grows and (named or around_parts) else grows


def add_growth_findings(
    exercise: Exercise,
    findings: Sequence[Finding],
    measure: Measure | None,
    known_mistakes: Callable[[Exercise], KnownMistakes | None],
) -> list[Finding]:
    """The findings of an exercise in the order of its checks, with those of the checks of cost.

    Args:
        exercise: the exercise.
        findings: of all its other checks.
        measure: measures a growth; None where it cannot be done.
        known_mistakes: gives those of an exercise, which have the hints; None where nobody knows them.
    """
    by_check = {finding.check: finding for finding in findings}
    for check in exercise.checks:
        if check.grows_as is not None:
            verdict, staff = _judge(exercise, check, findings, measure)
            by_check[check.name] = _finding(exercise, check, verdict, staff, known_mistakes)
    named = [by_check.pop(check.name) for check in exercise.checks if check.name in by_check]
    return [*named, *by_check.values()]


def _judge(
    exercise: Exercise, check: Check, findings: Sequence[Finding], measure: Measure | None
) -> tuple[GrowthVerdict, str | None]:
    """The verdict, and a traceback for staff.

    Code that answers anything may cost whatever it likes. Where the answer is what a known mistake makes of
    the right one, that mistake has cost its points, and what the code costs is a question of its own.
    """
    core_names = {check.name for check in exercise.checks if check.core}
    core = [finding for finding in findings if finding.check in core_names]
    if any(finding.outcome.failed_or_raised and not finding.mistakes for finding in core):
        message = tr("not measured: only what answers rightly is, or with a mistake that has a name")
        return GrowthVerdict(Outcome.FAILED, message), None
    if any(finding.outcome.undecided for finding in core):
        return GrowthVerdict(Outcome.SKIPPED, tr("not measured: the checks have not decided")), None
    if measure is None:
        return GrowthVerdict(
            Outcome.SKIPPED, tr("measured by softmark check and at hand-in, in a process of its own")
        ), None
    try:
        return measure(check), None
    except Exception:  # a fault of ours costs nobody points
        return GrowthVerdict(Outcome.BROKEN, tr(score.OURS)), traceback.format_exc(limit=-6)


def _finding(
    exercise: Exercise,
    check: Check,
    verdict: GrowthVerdict,
    staff: str | None,
    known_mistakes: Callable[[Exercise], KnownMistakes | None],
) -> Finding:
    points = exercise.points_of(check)
    known = known_mistakes(exercise) if verdict.mistake else None
    named = ((known.describe(f"{exercise.symbol}__{verdict.mistake}"),),) if known else ()
    return Finding(
        check=check.name,
        outcome=verdict.outcome,
        points=points if verdict.outcome is Outcome.PASSED else 0,
        max_points=points,
        says=check.says,
        message=verdict.message,
        staff=staff,
        mistake=join_mistakes(named),
        mistakes=named,
        costs=verdict.costs,
    )
