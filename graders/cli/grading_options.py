"""Turn the shared options of commands into a box, draws and an assignment."""

from dataclasses import dataclass

import click
import torch

from graders.answer_key.find_keys import find_keys
from graders.cli.options import (
    SEED,
    box_options,
    class_seed_option,
    corpus_option,
    seed_option,
    threads_option,
    timing_option,
)
from graders.course.exercise import Assignment, UnknownName, load_assignment
from graders.help.topics import with_topic
from graders.judging.draws import TRIES, Draws
from graders.language import tr, translatable
from graders.sandbox.box import Box
from graders.sandbox.isolation.choose_level import NoIsolation, Step, best, wanted
from graders.sandbox.isolation.level import IsolationLevel
from graders.sandbox.limits import BadLimit, Limits

DTYPES = {"float32": torch.float32, "float64": torch.float64}

__all__ = [
    "SEED",
    "Wanted",
    "box_options",
    "class_seed_option",
    "corpus_option",
    "load_chosen",
    "parse_asked",
    "seed_option",
    "threads_option",
    "timing_option",
]


@dataclass(frozen=True)
class Wanted:
    """The parsed options: an isolation level (None: the best), limits, the device, the precision."""

    level: IsolationLevel | None
    limits: Limits
    device: str
    dtype: torch.dtype | None

    def draws(self, seed: int, tries: int = TRIES) -> Draws:
        """The draws of a run for the device and in the dtype that are wanted."""
        return Draws(seed, tries, self.device, self.dtype, find_keys(seed))

    def box(self) -> tuple[Box, list[Step]]:
        """Start and test a box; also returns the better isolation levels that failed.

        Raises:
            click.UsageError: the chosen isolation level does not hold here.
        """
        try:
            if self.level:
                return wanted(self.level, self.limits, self.device), []
            box, steps = best(self.limits, self.device)
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


def parse_asked(
    sandbox: str | None, strict: bool, changes: tuple[str, ...], device: str, dtype: str | None
) -> Wanted:
    """Parse the options.

    Raises:
        click.UsageError: they contradict one another, or a limit is not valid.
    """
    if strict and sandbox not in (None, IsolationLevel.FRESH.value):
        message = translatable("--strict means the box {strict}, --sandbox asks for {sandbox}")
        raise click.UsageError(tr(message, strict=repr(IsolationLevel.FRESH.value), sandbox=repr(sandbox)))
    level = IsolationLevel.FRESH if strict else IsolationLevel(sandbox) if sandbox else None
    try:
        return Wanted(level, Limits().change(changes), device, DTYPES[dtype] if dtype else None)
    except BadLimit as error:
        raise click.UsageError(with_topic(error, "limits")) from error
