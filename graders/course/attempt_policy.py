"""Which of several hand-ins of a student counts."""

from typing import Any, Literal, get_args

from graders.course.late_policy import BadRule
from graders.language import tr

AttemptPolicy = Literal["latest", "best", "last_in_time"]
LATEST: AttemptPolicy = "latest"


def attempt_policy_of(said: Any, *, has_late_rule: bool) -> AttemptPolicy:
    """Read the key `attempt` of an assignment: `latest`, the default, `best` or `last_in_time`.

    Raises:
        BadRule: it is none of these, or nothing says what is in time.
    """
    policies: tuple[AttemptPolicy, ...] = get_args(AttemptPolicy)
    for policy in policies:
        if said == policy:
            if policy == "last_in_time" and not has_late_rule:
                raise BadRule(tr('attempt = "last_in_time" needs a late rule, which says when it is due'))
            return policy
    raise BadRule(tr('attempt must be "latest", "best" or "last_in_time"'))
