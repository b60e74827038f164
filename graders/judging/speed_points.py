"""The points for speed: turn a timing into the finding of the check `is_fast_enough`."""

from graders.course.speed_policy import SpeedPolicy
from graders.language import number, tr, translatable
from graders.results.measurements import REFERENCE, Timing
from graders.results.result import Finding, Outcome

CHECK = "is_fast_enough"
SAYS = translatable(
    "in forward and backward it takes at most {full} times as long as the reference (none from {none})"
)


def speed_finding(policy: SpeedPolicy | None, outcome: Outcome, timing: Timing | None) -> Finding | None:
    """The finding for speed; None where the exercise has no points for it.

    Args:
        policy: that of the exercise.
        outcome: how the exercise's checks ended.
        timing: the measured times, None where nothing was timed.
    """
    if policy is None:
        return None
    decision, share, message = _decide(policy, outcome, timing)
    return Finding(
        check=CHECK,
        outcome=decision,
        points=round(policy.points * share, 4),
        max_points=policy.points,
        says=tr(SAYS, full=number(policy.full, "g"), none=number(policy.none, "g")),
        message=message,
        staff=timing.staff if timing else None,
    )


def _decide(
    policy: SpeedPolicy, outcome: Outcome, timing: Timing | None
) -> tuple[Outcome, float, str | None]:
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
    # A time that is not known well enough to decide between two shares costs nobody the greater one.
    share = policy.share(timing.ratio if timing.low is None else timing.low)
    return (Outcome.PASSED if share else Outcome.FAILED), share, " ".join(timing.says[:2]) or None
