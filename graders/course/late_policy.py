"""The late policy of an assignment, and what handing in at a given time costs."""

from collections.abc import Mapping
from dataclasses import dataclass, fields
from datetime import datetime, timedelta, tzinfo
from typing import Any

from graders.language import number, tr, trn

DAY = timedelta(days=1)


class BadRule(Exception):
    """What is wrong with a late rule in course.toml: a sentence for the instructor."""


@dataclass(frozen=True, slots=True)
class LatePolicy:
    """When an assignment is due and what handing it in later costs.

    Attributes:
        due: a submission until then, or within the grace period after it, is not late.
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
        """The last moment at which a submission is in time."""
        return self.due + timedelta(minutes=self.grace_minutes)


@dataclass(frozen=True, slots=True)
class Late:
    """How many days late, how many points that costs, and a sentence for the student that says why."""

    days: int
    lost: float
    says: str


def late_policy_of(table: Any, zone: tzinfo | None = None) -> LatePolicy:
    """Read the table `late` of course.toml.

    Args:
        table: what stands there.
        zone: that of times without an offset; None where these must have one.

    Raises:
        BadRule: the table is wrong; the text says what to write.
    """
    if not isinstance(table, Mapping):
        raise BadRule(tr("late: write a table, such as { due = 2026-11-20T23:59:00+01:00, per_day = 0.1 }."))
    known = {f.name for f in fields(LatePolicy)}
    if unknown := sorted(set(table) - known):
        message = tr(
            "late: there is no {unknown}; there are {known}.",
            unknown=", ".join(unknown),
            known=", ".join(sorted(known)),
        )
        raise BadRule(message)
    table = {key: _in_zone(value, zone) for key, value in table.items()}
    for name in ("due", "closes"):
        at = table.get(name)
        if (at is not None or name == "due") and not (isinstance(at, datetime) and at.tzinfo):
            raise BadRule(
                tr("late: write {name} with its offset, such as 2026-11-20T23:59:00+01:00.", name=name)
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
    if policy.closes and policy.closes < policy.due:
        raise BadRule(tr("late: closes must not be before due."))
    return policy


def _in_zone(value: Any, zone: tzinfo | None) -> Any:
    is_local = isinstance(value, datetime) and value.tzinfo is None
    return value.replace(tzinfo=zone) if is_local else value


def lateness(rule: LatePolicy, at: datetime, reached: float, most: float) -> Late | None:
    """What handing in at `at` costs of `reached` points; None if it was in time."""
    if at <= rule.in_time_until:
        return None
    over = at - rule.due
    # Days count from the due date, not from the end of the grace period, which only forgives a slow upload.
    days = max(1, -(-over // DAY))
    if rule.closes and at > rule.closes:
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
