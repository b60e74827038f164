"""The options that commands share; `parse_options.py` parses them."""

import os
from collections.abc import Callable
from typing import Any

import click

from graders.cli.option_purpose import Purpose
from graders.cli.translated_command import option
from graders.corpora.catalogue import NAMES
from graders.language import tr, translatable
from graders.sandbox.isolation.level import IsolationLevel
from graders.sandbox.limits import show_limits

SEED = 1
DIGITS = 20  # of a number that are read: Python refuses to read thousands
MOST_THREADS = 32  # a submission may start 64, and libraries have some of their own


def _limits() -> dict[str, str]:
    return {"limits": ", ".join(f"{name} ({value})" for name, value, _ in show_limits())}


seed_option = option(
    Purpose.WORK,
    "--seed",
    default=SEED,
    show_default=True,
    help=translatable("The seed of the checks' draws, the same for every submission."),
)

class_seed_option = option(
    Purpose.WORK,
    "--seed",
    type=int,
    help=translatable(
        "The seed of the checks' draws, the same for every submission; by default a random one, kept in OUT."
    ),
)


corpus_option = option(
    Purpose.WORK,
    "--corpus",
    metavar="NAME|PATH",
    values=lambda: {"names": ", ".join(NAMES)},
    help=translatable("Measure trained models on this: {names}, or a text file; else the assignment's own."),
)


def _parse_threads(context: click.Context, parameter: click.Parameter, value: str) -> int:  # noqa: ARG001
    """Parse a number of threads, or "all".

    Raises:
        click.BadParameter: it is neither.
    """
    if value == "all":
        return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    if not value.isdecimal() or not 1 <= int(value[:DIGITS]) <= MOST_THREADS:
        message = translatable("{value} is neither a number from 1 to {most} nor 'all'")
        raise click.BadParameter(tr(message, value=repr(value), most=MOST_THREADS))
    return int(value)


threads_option = option(
    Purpose.TIMING,
    "--timing-threads",
    "threads",
    default="1",
    show_default=True,
    metavar="N|all",
    callback=_parse_threads,
    help=translatable("The number of PyTorch's threads for timing; their CPU times are added."),
)


def box_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """Give a command `--sandbox`, `--strict`, `--limit`, `--device`, `--dtype`; see `parse_box_options`."""
    for add_option in (
        option(
            Purpose.WORK,
            "--dtype",
            type=click.Choice(["float32", "float64"]),
            help=translatable("Draw in this precision only; otherwise in both."),
        ),
        option(
            Purpose.BOX,
            "--device",
            type=click.Choice(["cpu", "cuda"]),
            default="cpu",
            show_default=True,
            help=translatable("Where the code runs."),
        ),
        option(
            Purpose.BOX,
            "--limit",
            "changes",
            multiple=True,
            metavar="NAME=VALUE",
            values=_limits,
            help=translatable(
                "Change a limit: {limits}. Seconds are those in which the code works or sleeps; the time in "
                "which it waits for a busy processor is not counted."
            ),
        ),
        option(
            Purpose.BOX,
            "--strict",
            is_flag=True,
            help=translatable("Use a separate box and interpreter for each submission."),
        ),
        option(
            Purpose.BOX,
            "--sandbox",
            type=click.Choice([level.value for level in IsolationLevel]),
            help=translatable("Use this box; by default the best one that works here."),
        ),
    ):
        command = add_option(command)
    return command
