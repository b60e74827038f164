"""What a run begins with: an assignment, a box that holds, and draws."""

from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import torch

from graders.answer_key.find_keys import find_keys, folders_of
from graders.batch.errors import CannotGrade, NoWall
from graders.course.course_file import require_course
from graders.course.course_table import BadCourse
from graders.course.exercise import Assignment, UnknownName, load_assignment
from graders.course.open_course import open_course
from graders.judging.draws import TRIES, Draws
from graders.judging.kept.folder import WORK
from graders.language import LANGUAGES, current_language, speaking, tr
from graders.locations import using_course
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


@contextmanager
def in_course(path: Path | None, language: str | None) -> Iterator[None]:
    """Within the context, read the course from this file, and speak this language.

    Args:
        path: the course's folder or file; None is the course that comes with softmark.
        language: None is the current one.

    Raises:
        CannotGrade: the file cannot be read, or softmark does not speak the language.
    """
    spoken = next((known for known in LANGUAGES if known == (language or current_language())), None)
    if spoken is None:
        known = ", ".join(LANGUAGES)
        raise CannotGrade(tr("there is no language {name}: there are {known}", name=language, known=known))
    with speaking(spoken):
        try:
            course = open_course(path) if path else None
            with using_course(course):
                require_course()
        except BadCourse as error:
            raise CannotGrade(str(error)) from error
        with using_course(course):
            yield


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
    """Forget what runs have kept, where code ran without a wall: it could have written there.

    The box is closed before: no code of the run is left.
    """
    if not level.walled:
        with suppress(OSError):  # where we cannot remove files, that code could not write any
            WORK.clear()


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
