"""Which submissions of a class are graded again."""

from enum import StrEnum

import click

from graders.language import tr


class RegradePolicy(StrEnum):
    """What to grade: changed submissions, those that have not passed, or all."""

    CHANGED = "changed"
    FAILED = "failed"
    ALL = "all"


def choose_policy(force: bool, only_failed: bool) -> RegradePolicy:
    """The policy that the command line asks for.

    Raises:
        click.UsageError: it asks for two.
    """
    if only_failed and force:
        raise click.UsageError(tr("--force grades all again, and --only-failed some: give one of the two"))
    return RegradePolicy.ALL if force else RegradePolicy.FAILED if only_failed else RegradePolicy.CHANGED
