"""Open the class that `softmark grade` is given; a class that cannot be read is wrong usage."""

from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from datetime import UTC
from pathlib import Path

import click

from graders.classroom.intake.roster import BadRoster
from graders.classroom.intake.take import Intake, take
from graders.classroom.intake.unpack import NotUnpacked
from graders.classroom.run_marks import save_class
from graders.cli.course_option import keep_course
from graders.cli.exit_status import fail
from graders.course.course_file import late_policy
from graders.course.exercise import Assignment
from graders.course.late_policy import BadRule
from graders.language import tr

SHOWN = 10  # unmatched files listed if there is no submission


@contextmanager
def open_class(handed_in: Path, asks: Assignment, out: Path, roster: Path | None) -> Iterator[Intake]:
    """Take in a folder or zip and write `OUT/class.json`; unpacked files are removed at the end.

    Raises:
        click.UsageError: there is no submission, or `handed_in`, roster or late policy cannot be read.
    """
    with ExitStack() as stack:
        try:
            rule = late_policy(asks.name)
            zone = (rule and rule.due.tzinfo) or UTC
            most = sum(exercise.points for exercise in asks.exercises)
            intake = stack.enter_context(take(handed_in, asks.name, most, out, roster, zone))
            if intake.entries:
                save_class(out, intake.class_record)
                keep_course(out)
        except (BadRule, BadRoster, NotUnpacked) as error:
            raise click.UsageError(str(error)) from error
        except OSError as error:
            fail(tr("cannot take in {path}: {reason}", path=handed_in, reason=error))
        if not intake.entries:
            nothing = tr(
                "there is no submission in {path}: no folder, notebook, module or zip", path=handed_in
            )
            strays = intake.class_record.unmatched[:SHOWN]
            beside = [tr("{what}: {why}", what=stray.what, why=stray.why) for stray in strays]
            raise click.UsageError("\n".join([nothing, *beside]))
        yield intake
