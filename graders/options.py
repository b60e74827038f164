"""The options that commands share (the box, the draws, names), and what they ask for."""

import os
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import click
import torch

from graders.corpora.shelf import NAMES
from graders.draw import SHRINKS, Deck
from graders.exercise import Assignment, UnknownName, load_assignment
from graders.limits import BadLimit, Limits, shown
from graders.sandbox import Box
from graders.wall.ladder import NoWall, Step, best, wanted
from graders.wall.rung import Rung

DTYPES = {"float32": torch.float32, "float64": torch.float64}
SEED = 1
MOST_THREADS = 32  # a submission may start 64, and libraries have some of their own
_LIMITS = ", ".join(f"{name} ({value})" for name, value, _ in shown())


@dataclass(frozen=True)
class Wanted:
    """What the options say: a rung or the best, limits, the device, the precision."""

    rung: Rung | None
    limits: Limits
    device: str
    dtype: torch.dtype | None

    def deck(self, seed: int, shrinks: int = SHRINKS) -> Deck:
        """The draws of a run for the device and in the dtype that are wanted."""
        return Deck(seed, shrinks, self.device, self.dtype)

    def box(self) -> tuple[Box, list[Step]]:
        """A warm, tried box, and the better rungs that did not hold.

        Raises:
            click.UsageError: the wanted rung does not hold here.
        """
        try:
            if self.rung:
                return wanted(self.rung, self.limits, self.device), []
            box, steps = best(self.limits, self.device)
            return box, [step for step in steps if step.problem]
        except NoWall as error:
            raise click.UsageError(str(error)) from error


seed_option = click.option(
    "--seed", default=SEED, show_default=True, help="Which draws the checks make, for all alike."
)


corpus_option = click.option(
    "--corpus",
    metavar="NAME|PATH",
    help=f"Measure trained models on this: {', '.join(NAMES)}, or a text file; else the assignment's own.",
)


def chosen(name: str, exercises: tuple[str, ...]) -> Assignment:
    """The assignment of this name, or these exercises of it.

    Raises:
        click.UsageError: there is none; the text has near names.
    """
    try:
        return load_assignment(name).only(exercises)
    except UnknownName as error:
        raise click.UsageError(str(error)) from error


# The variable is for whoever runs softmark where clocks mean nothing, in tests for one.
timing_option = click.option(
    "--timing/--no-timing",
    default=True,
    envvar="SOFTMARK_TIMING",
    help="Time what is right, where the course asks for it.  [default: timing]",
)


def _threads(context: click.Context, parameter: click.Parameter, value: str) -> int:  # noqa: ARG001
    """How many threads are meant.

    Raises:
        click.BadParameter: none are.
    """
    if value == "all":
        return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    if not value.isdecimal() or not 1 <= int(value) <= MOST_THREADS:
        raise click.BadParameter(f"{value!r} is neither a number from 1 to {MOST_THREADS} nor 'all'")
    return int(value)


threads_option = click.option(
    "--timing-threads",
    "threads",
    default="1",
    show_default=True,
    metavar="N|all",
    callback=_threads,
    help="Time with so many threads of PyTorch's, whose time counts together.",
)


def box_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """Give a command `--sandbox`, `--strict`, `--limit`, `--device` and `--dtype`; see `asked`."""
    for option in (
        click.option(
            "--dtype", type=click.Choice(list(DTYPES)), help="Draw in this precision alone; else in both."
        ),
        click.option("--device", type=click.Choice(["cpu", "cuda"]), default="cpu", show_default=True),
        click.option(
            "--limit", "changes", multiple=True, metavar="NAME=VALUE", help=f"Change a limit: {_LIMITS}."
        ),
        click.option(
            "--strict", is_flag=True, help="A box and an interpreter of its own for each submission."
        ),
        click.option(
            "--sandbox",
            type=click.Choice([rung.value for rung in Rung]),
            help="Insist on this box; without it, the best that holds here.",
        ),
    ):
        command = option(command)
    return command


def asked(
    sandbox: str | None, strict: bool, changes: tuple[str, ...], device: str, dtype: str | None
) -> Wanted:
    """What the options mean together.

    Raises:
        click.UsageError: they contradict one another, or a limit is not one.
    """
    if strict and sandbox not in (None, Rung.FRESH.value):
        raise click.UsageError(f"--strict means the box {Rung.FRESH.value!r}, --sandbox asks for {sandbox!r}")
    rung = Rung.FRESH if strict else Rung(sandbox) if sandbox else None
    try:
        return Wanted(rung, Limits().changed(changes), device, DTYPES[dtype] if dtype else None)
    except BadLimit as error:
        raise click.UsageError(str(error)) from error
