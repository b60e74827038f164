"""Which submissions of a class are graded again."""

from enum import StrEnum


class RegradePolicy(StrEnum):
    """What to grade: changed submissions, those that have not passed, or all."""

    CHANGED = "changed"
    FAILED = "failed"
    ALL = "all"
