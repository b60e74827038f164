"""Open the box for a class: other people's code runs without a wall only where that was asked for."""

import click

from graders.cli.grading_options import open_box
from graders.cli.parse_options import Wanted
from graders.help.topics import with_topic
from graders.language import tr
from graders.sandbox.box import Box
from graders.sandbox.isolation.choose_level import Started, levels_by_problem


def open_walled(wanted: Wanted, unsafe: bool, started: Started) -> Box:
    """A warm box at the isolation level of every job.

    Args:
        wanted: what the command line says of the box.
        unsafe: whether a box without a wall will do.
        started: the interpreter that was started for it.

    Raises:
        click.UsageError: no box holds, and one without a wall will not do.
    """
    box, steps = open_box(wanted, started)
    failed = [{"level": levels, "why": problem} for problem, levels in levels_by_problem(steps)]
    if not box.level.walled and not unsafe:
        box.close()
        message = tr("Without a box, other people's code is graded only with --unsafe.")
        why = [tr("{level}: {why}", **named) for named in failed]
        raise click.UsageError(with_topic("\n".join([*why, message]), "box"))
    for named in failed:
        click.echo(tr("not {level}: {why}", **named), err=True)
    if not box.level.walled:
        click.echo(tr("NOT BOXED: other people's code runs with all your rights."), err=True)
    return box
