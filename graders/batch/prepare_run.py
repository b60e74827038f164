"""What a run begins with once its course is settled: an assignment, a box that holds, and draws."""

from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path

import torch

from graders.answer_key.find_keys import find_keys, folders_of
from graders.batch.errors import CannotGrade, NoWall
from graders.course.exercise import Assignment, UnknownName, load_assignment
from graders.judging.draws import TRIES, Draws
from graders.results.kept_folder import FOLDERS
from graders.sandbox.box import Box
from graders.sandbox.box_options import BoxOptions
from graders.sandbox.isolation.choose_level import (
    NoIsolation,
    StartedInterpreter,
    Step,
    best,
    levels_by_problem,
    wanted,
)
from graders.sandbox.isolation.level import IsolationLevel

DTYPES = {"float32": torch.float32, "float64": torch.float64}


def load(name: str, *, corpus: str | None = None) -> Assignment:
    """Load an assignment.

    Args:
        name: of the assignment.
        corpus: what trained models are measured on, in place of what the assignment says.

    Raises:
        CannotGrade: there is none of this name; the message has similar names.
    """
    try:
        return load_assignment(name).measured_on(corpus)
    except UnknownName as error:
        raise CannotGrade(str(error)) from error


def only(assignment: Assignment, exercises: Iterable[str]) -> Assignment:
    """The assignment with only these exercises; with all of them if none is named.

    Raises:
        CannotGrade: it has none of this name; the message has similar names.
    """
    try:
        return assignment.only(exercises)
    except UnknownName as error:
        raise CannotGrade(str(error)) from error


def make_draws(
    options: BoxOptions, seed: int, level: IsolationLevel, tries: int = TRIES, submission: Path | None = None
) -> Draws:
    """The draws of a run for the device and in the dtype that are wanted.

    Without solutions, the answer keys decide that lie with the `submission` or in the working directory.
    Behind a wall, what is made for the run is kept on the disk, and read there. At a `level` without one, the
    code that is graded could have written it.
    """
    keys = find_keys(seed, folders_of(submission) if submission else ())
    draws = Draws(seed, tries, options.device, dtype_of(options), keys)
    return draws.keeping() if level.walled else draws


def end_run(level: IsolationLevel) -> None:
    """Forget all that is kept, where code ran without a wall: it could have written there.

    The box is closed before: no code of the run is left.
    """
    for folder in () if level.walled else FOLDERS:
        with suppress(OSError):  # where we cannot remove files, that code could not write any
            folder.clear()


def dtype_of(options: BoxOptions) -> torch.dtype | None:
    """The precision that is wanted; None for the checks' own."""
    return DTYPES[options.dtype] if options.dtype else None


def open_box(options: BoxOptions, started: StartedInterpreter = None) -> tuple[Box, list[Step]]:
    """A warm box, in the interpreter that was `started`; also returns the better levels that failed.

    Raises:
        NoIsolation: the chosen isolation level does not hold here.
    """
    if options.level:
        return wanted(options.level, options.limits, options.device, started), []
    box, steps = best(options.limits, options.device, started)
    return box, [step for step in steps if step.problem]


def open_walled(options: BoxOptions, started: StartedInterpreter = None) -> tuple[Box, list[tuple[str, str]]]:
    """A warm box for other people's code; also returns the better levels that failed, and why.

    Raises:
        NoWall: no level with a wall holds, and one without was not allowed.
        CannotGrade: the chosen isolation level does not hold here.
    """
    try:
        box, steps = open_box(options, started)
    except NoIsolation as error:
        raise CannotGrade(str(error)) from error
    failed = [(levels, problem) for problem, levels in levels_by_problem(steps)]
    if not box.level.walled and not options.unsafe:
        box.close()
        raise NoWall(failed)
    return box, failed
