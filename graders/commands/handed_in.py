"""What `softmark grade` is given, as a class: where it cannot be read, that is wrong usage."""

from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from datetime import UTC
from pathlib import Path

import click

from graders.commands.exits import fail
from graders.exercise import Assignment, late_rule
from graders.intake.roster import BadRoster
from graders.intake.take import Intake, taken
from graders.intake.unpack import NotUnpacked
from graders.late import BadRule

SHOWN = 10  # of what is no submission, where there is none


@contextmanager
def handed_in(what: Path, asks: Assignment, out: Path, roster: Path | None) -> Iterator[Intake]:
    """The submissions in a folder or zip; what had to be unpacked is removed at the end.

    Raises:
        click.UsageError: there are none, or `what`, the roster or the late rule cannot be understood.
    """
    with ExitStack() as stack:
        try:
            rule = late_rule(asks.name)
            zone = (rule and rule.due.tzinfo) or UTC
            most = sum(exercise.points for exercise in asks.exercises)
            intake = stack.enter_context(taken(what, asks.name, most, out, roster, zone))
        except (BadRule, BadRoster, NotUnpacked) as error:
            raise click.UsageError(str(error)) from error
        except OSError as error:
            fail(f"cannot take in {what}: {error}")
        if not intake.entries:
            nothing = f"there is no submission in {what}: no folder, notebook, module or zip"
            beside = [f"{one.what}: {one.why}" for one in intake.klass.unmatched[:SHOWN]]
            raise click.UsageError("\n".join([nothing, *beside]))
        yield intake
