"""`assignments/course.toml`: which assignments there are, what they hold, and what handing in late costs."""

import tomllib
from typing import Any

from graders.course.late_policy import LatePolicy, late_policy_of
from graders.locations import ASSIGNMENTS


def read_course() -> dict[str, Any]:
    """The tables of the assignments by name."""
    return tomllib.loads((ASSIGNMENTS / "course.toml").read_text(encoding="utf-8"))


def late_policy(name: str) -> LatePolicy | None:
    """The late policy of an assignment; None if it has none, or if there is no such assignment.

    Raises:
        BadRule: its table `late` in course.toml is wrong.
    """
    table = read_course().get(name, {}).get("late")
    return None if table is None else late_policy_of(table)
