"""Make a box and an assignment of parsed options: unlike `parse_options.py`, this imports PyTorch."""

import click

from graders.batch.errors import CannotGrade
from graders.batch.prepare_run import load
from graders.batch.prepare_run import open_box as open_any
from graders.cli.tell_faults import tell_fault
from graders.course.exercise import Assignment
from graders.help.topics import with_topic
from graders.sandbox.box import Box
from graders.sandbox.box_options import BoxOptions
from graders.sandbox.isolation.choose_level import NoIsolation, StartedInterpreter, Step


def open_box(options: BoxOptions, started: StartedInterpreter = None) -> tuple[Box, list[Step]]:
    """Test a box, in the interpreter that was `started`; also returns the better levels that failed.

    Raises:
        click.UsageError: the chosen isolation level does not hold here.
    """
    try:
        return open_any(options, started)
    except NoIsolation as error:
        raise click.UsageError(with_topic(error, "box")) from error


def load_chosen(name: str, *, corpus: str | None = None) -> Assignment:
    """Load an assignment, and say which of its exercises are broken.

    Raises:
        click.UsageError: there is none of this name; the message has similar names.
    """
    try:
        assignment = load(name, corpus=corpus)
    except CannotGrade as error:
        raise click.UsageError(str(error)) from error
    for exercise in assignment.exercises:
        if exercise.fault is not None:
            tell_fault(exercise.name, exercise.fault)
    return assignment
