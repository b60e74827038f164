"""The late policy of an assignment, and what handing in at a given time costs."""

from collections.abc import Mapping
from dataclasses import dataclass, fields, replace
from datetime import UTC, datetime, timedelta, tzinfo
from typing import Any
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from graders.language import number, tr, trn

YEARS = range(1970, 9000)  # Python cannot count days up to the end of the last year that it knows


class BadRule(Exception):
    """What is wrong with a late rule in course.toml: a sentence for the instructor."""


@dataclass(frozen=True, slots=True)
class LatePolicy:
    """When an assignment is due and what handing it in later costs.

    Attributes:
        due: a submission until then, or within the grace period after it, is not late. Late days end at its
            time of day, in its time zone: with a `ZoneInfo`, a day of 25 hours is one day.
        grace_minutes: a submission this many minutes after `due` is still in time.
        free_days: late days that cost nothing.
        per_day: the share of the points that each further day begun costs.
        most: lateness costs at most this share.
        of: what the shares are of: the `maximum` of the assignment or the points `reached`.
        closes: a submission after this time gets no points.
    """

    due: datetime
    grace_minutes: float = 0
    free_days: int = 0
    per_day: float = 0
    most: float = 1
    of: str = "maximum"
    closes: datetime | None = None

    @property
    def in_time_until(self) -> datetime:
        """The last moment at which a submission is in time, in UTC."""
        return self.due.astimezone(UTC) + timedelta(minutes=self.grace_minutes)


@dataclass(frozen=True, slots=True)
class Late:
    """How many days late, how many points that costs, and a sentence for the student that says why."""

    days: int
    lost: float
    says: str


def late_policy_of(table: Any, zone: tzinfo | None = None) -> LatePolicy:
    """Read the table `late` of course.toml.

    Its `zone` names the time zone of its times, such as Europe/Paris, in which late days are counted.

    Args:
        table: what stands there.
        zone: that of the course; None where times without an offset are wrong.

    Raises:
        BadRule: the table is wrong; the text says what to write.
    """
    if not isinstance(table, Mapping):
        raise BadRule(tr("late: write a table, such as { due = 2026-11-20T23:59:00+01:00, per_day = 0.1 }."))
    known = {f.name for f in fields(LatePolicy)} | {"zone"}
    if unknown := sorted(set(table) - known):
        message = tr(
            "late: there is no {unknown}; there are {known}.",
            unknown=", ".join(unknown),
            known=", ".join(sorted(known)),
        )
        raise BadRule(message)
    zone = _own_zone(table) or zone
    table = {key: _in_zone(value, zone) for key, value in table.items() if key != "zone"}
    for name in ("due", "closes"):
        at = table.get(name)
        if (at is not None or name == "due") and not (
            isinstance(at, datetime) and at.tzinfo and at.year in YEARS
        ):
            raise BadRule(
                tr(
                    'late: write {name} as 2026-11-20T23:59:00, with zone = "Europe/Paris" beside it, or '
                    "with its offset, as 2026-11-20T23:59:00+01:00.",
                    name=name,
                )
            )
    for name, largest in (("grace_minutes", 10_000), ("free_days", 1_000), ("per_day", 1), ("most", 1)):
        value = table.get(name, 0)
        if isinstance(value, bool) or not isinstance(value, int | float) or not 0 <= value <= largest:
            raise BadRule(tr("late: {name} must be a number from 0 to {most}.", name=name, most=largest))
    if not isinstance(table.get("free_days", 0), int):
        raise BadRule(tr("late: free_days must be a whole number of days."))
    if table.get("of", "maximum") not in ("maximum", "reached"):
        raise BadRule(tr('late: of must be "maximum" (of the assignment) or "reached" (by the student).'))
    policy = LatePolicy(**table)
    if policy.closes and policy.closes.astimezone(UTC) < policy.due.astimezone(UTC):
        raise BadRule(tr("late: closes must not be before due."))
    return policy


def _own_zone(table: Mapping[str, Any]) -> ZoneInfo | None:
    if "zone" not in table:
        return None
    name = table["zone"]
    try:
        zone = ZoneInfo(name)
    except (ZoneInfoNotFoundError, OSError, TypeError, ValueError, AttributeError):
        raise BadRule(
            tr('late: there is no zone {name}: write one such as "Europe/Paris".', name=repr(name))
        ) from None
    for key, at in table.items():
        if isinstance(at, datetime) and at.tzinfo and at.utcoffset() != at.astimezone(zone).utcoffset():
            # Which of the two is meant, nobody knows; it decides when a day ends.
            message = tr(
                "late: {key} has another offset than {zone} has then: write it without an offset.",
                key=key,
                zone=name,
            )
            raise BadRule(message)
    return zone


def _in_zone(value: Any, zone: tzinfo | None) -> Any:
    if not isinstance(value, datetime) or zone is None:
        return value
    return value.astimezone(zone) if value.tzinfo else _last(value.replace(tzinfo=zone))


def _last(at: datetime) -> datetime:
    """Of a time of day that a change of clocks makes twice, or skips, the later reading."""
    return max(at.replace(fold=0), at.replace(fold=1), key=lambda reading: reading.astimezone(UTC))


def days_after(due: datetime, days: int) -> datetime:
    """The same time of day this many days later; where a change of clocks makes it twice, the later one."""
    return _last(due + timedelta(days=days))  # Python adds on the wall clock


def extend(policy: LatePolicy, due: datetime) -> LatePolicy:
    """The policy for someone who has time until `due`; the policy itself where that is no later.

    What closes then closes as much later, on the wall clock.
    """
    if due.astimezone(UTC) <= policy.due.astimezone(UTC):
        return policy
    due = due.astimezone(policy.due.tzinfo)
    closes = policy.closes
    if closes is not None:
        later = due.replace(tzinfo=None) - policy.due.replace(tzinfo=None)
        closes = _last(closes.astimezone(policy.due.tzinfo) + later)
        closes = max(closes, due, policy.closes or due, key=lambda at: at.astimezone(UTC))
    return replace(policy, due=due, closes=closes)


def end_of_day(due: datetime, day: int) -> datetime:
    """When the late day of this number ends, counted from 1, in UTC: at the due time of day."""
    return days_after(due, day).astimezone(UTC)


def _late_day(due: datetime, at: datetime) -> int:
    """On which late day a moment after `due` falls, counted from 1."""
    at = at.astimezone(UTC)
    # The calendar may be one day before or behind, and in a zone that leaves out a day, two.
    day = max(1, (at.astimezone(due.tzinfo).date() - due.date()).days - 2)
    while at > end_of_day(due, day):
        day += 1
    return day


def lateness(rule: LatePolicy, at: datetime, reached: float, most: float) -> Late | None:
    """What handing in at `at` costs of `reached` points; None if it was in time."""
    if at.astimezone(UTC) <= rule.in_time_until:
        return None
    # Days count from the due date, not from the end of the grace period, which only forgives a slow upload.
    days = _late_day(rule.due, at)
    if rule.closes and at.astimezone(UTC) > rule.closes.astimezone(UTC):
        return Late(days, max(reached, 0.0), _after_closing(days))
    share = min(rule.most, rule.per_day * max(0, days - rule.free_days))
    if not share:
        return Late(days, 0.0, _free(days))
    lost = float(min(round(share * (most if rule.of == "maximum" else reached), 4), reached))
    return Late(days, max(lost, 0.0), _costs(days, rule, number(round(100 * share, 2), "g")))


def _after_closing(days: int) -> str:
    return trn(
        "handed in {n} day late, after the assignment had closed: it counts 0",
        "handed in {n} days late, after the assignment had closed: it counts 0",
        days,
    )


def _free(days: int) -> str:
    return trn(
        "handed in {n} day late, which costs nothing", "handed in {n} days late, which costs nothing", days
    )


def _costs(days: int, rule: LatePolicy, percent: str) -> str:
    whole = tr("the maximum") if rule.of == "maximum" else tr("the points reached")
    if rule.free_days:
        return trn(
            "handed in {n} day late ({free} free): minus {percent}% of {whole}",
            "handed in {n} days late ({free} free): minus {percent}% of {whole}",
            days,
            free=rule.free_days,
            percent=percent,
            whole=whole,
        )
    return trn(
        "handed in {n} day late: minus {percent}% of {whole}",
        "handed in {n} days late: minus {percent}% of {whole}",
        days,
        percent=percent,
        whole=whole,
    )
