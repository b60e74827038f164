"""`assignments/course.toml`: which assignments there are, what they hold, and what handing in late costs."""

import tomllib
from typing import Any

from graders.course.late_policy import LatePolicy, late_policy_of
from graders.locations import ASSIGNMENTS


def read_course() -> dict[str, Any]:
    """The assignments by name, as they stand in the file."""
    return tomllib.loads((ASSIGNMENTS / "course.toml").read_text(encoding="utf-8"))


def late_policy(name: str) -> LatePolicy | None:
    """What handing in an assignment late costs; None where it costs nothing, or the course has no such.

    Raises:
        BadRule: course.toml states a rule that means nothing.
    """
    table = read_course().get(name, {}).get("late")
    return None if table is None else late_policy_of(table)
