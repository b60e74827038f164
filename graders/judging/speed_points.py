"""The points for speed: from what was measured to the finding of the check `is_fast_enough`."""

from graders.course.speed_policy import SpeedPolicy
from graders.language import number, tr, translatable
from graders.results.measurements import REFERENCE, Timing
from graders.results.result import Finding, Outcome

CHECK = "is_fast_enough"
SAYS = translatable(
    "in forward and backward it takes at most {full} times as long as the reference (none from {none})"
)


def speed_finding(rule: SpeedPolicy | None, outcome: Outcome, timing: Timing | None) -> Finding | None:
    """How the points for time end; None where there are none.

    Args:
        rule: of the exercise.
        outcome: how the exercise's checks ended.
        timing: what was measured, if anything was.
    """
    if rule is None:
        return None
    ended, share, message = _ended(rule, outcome, timing)
    return Finding(
        check=CHECK,
        outcome=ended,
        points=round(rule.points * share, 4),
        max_points=rule.points,
        says=tr(SAYS, full=number(rule.full, "g"), none=number(rule.none, "g")),
        message=message,
        staff=timing.staff if timing else None,
    )


def _ended(rule: SpeedPolicy, outcome: Outcome, timing: Timing | None) -> tuple[Outcome, float, str | None]:
    if outcome.undecided:
        return Outcome.SKIPPED, 0.0, tr("not timed: the checks have not decided")
    if outcome is not Outcome.PASSED:
        return Outcome.FAILED, 0.0, tr("not timed: only what answers rightly is")
    if timing is None:
        return Outcome.SKIPPED, 0.0, tr("not timed in this run")
    if timing.refused:
        return Outcome.FAILED, 0.0, timing.refused
    if timing.skipped or timing.ratio is None:
        return Outcome.SKIPPED, 0.0, tr("not timed: {why}", why=timing.skipped)
    if timing.against != REFERENCE:
        return Outcome.SKIPPED, 0.0, tr("decided at hand-in: it needs the reference")
    share = rule.share(timing.ratio)
    return (Outcome.PASSED if share else Outcome.FAILED), share, " ".join(timing.says) or None
