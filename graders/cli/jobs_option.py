"""`--jobs`: the number of processes that a command uses."""

import os

import click

from graders.cli.option_purpose import Purpose
from graders.cli.translated_command import option
from graders.language import translatable
from graders.sandbox.isolation.needs import can_fork_boxes


def default_jobs() -> int:
    """The number of processors available to this process; 1 if they cannot be forked."""
    if not can_fork_boxes():
        return 1
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


jobs_option = option(
    Purpose.MACHINES,
    "--jobs",
    default=default_jobs(),
    show_default=translatable("all processors"),
    type=click.IntRange(1, 256),
    help=translatable("The number of submissions processed at the same time."),
)
