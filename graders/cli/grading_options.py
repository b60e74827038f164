"""Make a box, draws and an assignment of parsed options: unlike `parse_options.py`, this imports PyTorch."""

from pathlib import Path

import click
import torch

from graders.answer_key.find_keys import find_keys, folders_of
from graders.cli.parse_options import Wanted
from graders.course.exercise import Assignment, UnknownName, load_assignment
from graders.help.topics import with_topic
from graders.judging.draws import TRIES, Draws
from graders.sandbox.box import Box
from graders.sandbox.isolation.choose_level import NoIsolation, Started, Step, best, wanted

DTYPES = {"float32": torch.float32, "float64": torch.float64}


def make_draws(asked: Wanted, seed: int, tries: int = TRIES, submission: Path | None = None) -> Draws:
    """The draws of a run for the device and in the dtype that are wanted.

    Without solutions, the answer keys decide that lie with the `submission` or in the working directory.
    """
    keys = find_keys(seed, folders_of(submission) if submission else ())
    return Draws(seed, tries, asked.device, dtype_of(asked), keys)


def dtype_of(asked: Wanted) -> torch.dtype | None:
    """The precision that is wanted; None for the checks' own."""
    return DTYPES[asked.dtype] if asked.dtype else None


def open_box(asked: Wanted, started: Started = None) -> tuple[Box, list[Step]]:
    """Test a box, in the interpreter that was `started`; also returns the better levels that failed.

    Raises:
        click.UsageError: the chosen isolation level does not hold here.
    """
    try:
        if asked.level:
            return wanted(asked.level, asked.limits, asked.device, started), []
        box, steps = best(asked.limits, asked.device, started)
        return box, [step for step in steps if step.problem]
    except NoIsolation as error:
        raise click.UsageError(with_topic(error, "box")) from error


def load_chosen(name: str, exercises: tuple[str, ...]) -> Assignment:
    """Load an assignment, or only these exercises of it.

    Raises:
        click.UsageError: there is none of this name; the message has similar names.
    """
    try:
        return load_assignment(name).only(exercises)
    except UnknownName as error:
        raise click.UsageError(str(error)) from error
