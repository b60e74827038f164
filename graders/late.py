"""The late rule of an assignment, and what a time of handing in costs by it."""

from collections.abc import Mapping
from dataclasses import dataclass, fields
from datetime import datetime, timedelta
from typing import Any

DAY = timedelta(days=1)


class BadRule(Exception):
    """What is wrong with a late rule in course.toml: a sentence for the instructor."""


@dataclass(frozen=True, slots=True)
class Rule:
    """When an assignment is due and what handing it in later costs.

    Attributes:
        due: what comes until then, or in the grace after it, is not late.
        grace_minutes: minutes after `due` that are not counted at all.
        free_days: late days that cost nothing.
        per_day: the share of the points that each further day begun costs.
        most: the largest share that lateness costs.
        of: what the shares are of: the `maximum` of the assignment or the points `reached`.
        closes: what comes after it counts for nothing.
    """

    due: datetime
    grace_minutes: float = 0
    free_days: int = 0
    per_day: float = 0
    most: float = 1
    of: str = "maximum"
    closes: datetime | None = None


@dataclass(frozen=True, slots=True)
class Late:
    """So many days late, the points lost by it, and a sentence for the student that says why."""

    days: int
    lost: float
    says: str


def rule_of(table: Any) -> Rule:
    """The rule that a table `late` of course.toml states.

    Raises:
        BadRule: it states none; the text says what to write.
    """
    if not isinstance(table, Mapping):
        raise BadRule("late: write a table, such as { due = 2026-11-20T23:59:00+01:00, per_day = 0.1 }.")
    known = {f.name for f in fields(Rule)}
    if unknown := sorted(set(table) - known):
        raise BadRule(f"late: there is no {', '.join(unknown)}; there are {', '.join(sorted(known))}.")
    for name in ("due", "closes"):
        at = table.get(name)
        if (at is not None or name == "due") and not (isinstance(at, datetime) and at.tzinfo):
            raise BadRule(f"late: write {name} with its offset, such as 2026-11-20T23:59:00+01:00.")
    for name, most in (("grace_minutes", 10_000), ("free_days", 1_000), ("per_day", 1), ("most", 1)):
        value = table.get(name, 0)
        if isinstance(value, bool) or not isinstance(value, int | float) or not 0 <= value <= most:
            raise BadRule(f"late: {name} must be a number from 0 to {most}.")
    if not isinstance(table.get("free_days", 0), int):
        raise BadRule("late: free_days must be a whole number of days.")
    if table.get("of", "maximum") not in ("maximum", "reached"):
        raise BadRule('late: of must be "maximum" (of the assignment) or "reached" (by the student).')
    rule = Rule(**table)
    if rule.closes and rule.closes < rule.due:
        raise BadRule("late: closes must not be before due.")
    return rule


def lateness(rule: Rule, at: datetime, reached: float, most: float) -> Late | None:
    """What handing in at `at` costs of `reached` points; None where it was in time."""
    over = at - rule.due
    if over <= timedelta(minutes=rule.grace_minutes):
        return None
    # From the due date on and not from the end of the grace, which forgives a slow upload and moves no date.
    days = max(1, -(-over // DAY))
    handed_in = f"handed in {days} {'day' if days == 1 else 'days'} late"
    if rule.closes and at > rule.closes:
        return Late(days, max(reached, 0.0), f"{handed_in}, after the assignment had closed: it counts 0")
    share = min(rule.most, rule.per_day * max(0, days - rule.free_days))
    if not share:
        return Late(days, 0.0, f"{handed_in}, which costs nothing")
    lost = float(min(round(share * (most if rule.of == "maximum" else reached), 4), reached))
    whole = "the maximum" if rule.of == "maximum" else "the points reached"
    free = f" ({rule.free_days} free)" if rule.free_days else ""
    return Late(days, max(lost, 0.0), f"{handed_in}{free}: minus {round(100 * share, 2):g}% of {whole}")
