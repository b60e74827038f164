"""What `softmark grade` is given, as a class: where it cannot be read, that is wrong usage."""

from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from datetime import UTC
from pathlib import Path

import click

from graders.classroom.intake.roster import BadRoster
from graders.classroom.intake.take import Intake, take
from graders.classroom.intake.unpack import NotUnpacked
from graders.classroom.run_marks import save_class
from graders.cli.exit_status import fail
from graders.course.course_file import late_policy
from graders.course.exercise import Assignment
from graders.course.late_policy import BadRule
from graders.language import tr

SHOWN = 10  # of what is no submission, where there is none


@contextmanager
def open_class(what: Path, asks: Assignment, out: Path, roster: Path | None) -> Iterator[Intake]:
    """The submissions in a folder or zip, with `OUT/class.json` written; what was unpacked goes at the end.

    Raises:
        click.UsageError: there are none, or `what`, the roster or the late rule cannot be understood.
    """
    with ExitStack() as stack:
        try:
            rule = late_policy(asks.name)
            zone = (rule and rule.due.tzinfo) or UTC
            most = sum(exercise.points for exercise in asks.exercises)
            intake = stack.enter_context(take(what, asks.name, most, out, roster, zone))
            if intake.entries:
                save_class(out, intake.class_record)
        except (BadRule, BadRoster, NotUnpacked) as error:
            raise click.UsageError(str(error)) from error
        except OSError as error:
            fail(tr("cannot take in {path}: {reason}", path=what, reason=error))
        if not intake.entries:
            nothing = tr("there is no submission in {path}: no folder, notebook, module or zip", path=what)
            strays = intake.class_record.unmatched[:SHOWN]
            beside = [tr("{what}: {why}", what=stray.what, why=stray.why) for stray in strays]
            raise click.UsageError("\n".join([nothing, *beside]))
        yield intake
