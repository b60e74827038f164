"""When an assignment is due and what lateness costs, as its students read it."""

from datetime import datetime, tzinfo

from graders.course.late_policy import LatePolicy
from graders.language import number, tr, trn


def describe_due(policy: LatePolicy) -> str:
    """A paragraph on the due date and on what handing in later costs, in the current language."""
    said = [tr("To be handed in by {at}.", at=_say_time(policy.due))]
    if policy.grace_minutes:
        minutes = number(policy.grace_minutes, "g")
        said.append(tr("What arrives at most {minutes} minutes later is in time, too.", minutes=minutes))
    if policy.free_days:
        free = trn("{n} late day is free.", "{n} late days are free.", policy.free_days)
        said.append(free)
    if policy.per_day:
        said.append(_say_cost(policy))
    if policy.closes:
        said.append(tr("What comes after {at} counts 0.", at=_say_time(policy.closes)))
    return " ".join(said)


def _say_cost(policy: LatePolicy) -> str:
    whole = tr("the maximum") if policy.of == "maximum" else tr("the points reached")
    percent, most = (number(round(100 * share, 2), "g") for share in (policy.per_day, policy.most))
    if policy.most < 1:
        return tr(
            "Each further day begun costs {percent}% of {whole}, and at most {most}%.",
            percent=percent,
            whole=whole,
            most=most,
        )
    return tr("Each further day begun costs {percent}% of {whole}.", percent=percent, whole=whole)


def _say_time(at: datetime) -> str:
    return f"{at:%Y-%m-%d %H:%M} ({_say_zone(at, at.tzinfo)})"


def _say_zone(at: datetime, zone: tzinfo | None) -> str:
    """`Europe/Paris` where the course names its zone, else `UTC+01:00`."""
    name = getattr(zone, "key", None)
    return str(name) if name else at.tzname() or "UTC"
