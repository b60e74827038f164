"""`softmark check`: a student's look at their own work."""

import sys
from pathlib import Path
from typing import Any

import click
from rich.console import Console

from graders.commands.command import Command
from graders.commands.exits import fail, status
from graders.commands.lang import lang_option
from graders.exercise import assignment_names, symbols_of
from graders.explain import explained
from graders.extract import study
from graders.grade import Grader
from graders.language import later, tr
from graders.options import (
    asked,
    box_options,
    chosen,
    corpus_option,
    seed_option,
    threads_option,
    timing_option,
)
from graders.reading.bounds import bounded
from graders.sandbox import BoxBroken
from graders.submission import Unreadable, read
from graders.timing.stopwatch import stopwatch
from graders.wall.rung import Rung
from reports import terminal


@click.command(cls=Command)
@click.argument("file", type=click.Path(exists=True, path_type=Path))
@click.option("--assignment", help=later("The assignment's name; found by the symbols in FILE if not given."))
@click.option(
    "--exercise", "exercises", multiple=True, help=later("Check this exercise alone; may be given again.")
)
@corpus_option
@seed_option
@timing_option
@threads_option
@box_options
@lang_option
def check(
    file: Path,
    assignment: str | None,
    exercises: tuple[str, ...],
    corpus: str | None,
    seed: int,
    timing: bool,
    threads: int,
    **options: Any,
) -> None:
    """Check one's own work: a notebook, a module, a folder or a zip of these.

    fr: Vérifier son propre travail : un notebook, un module, un dossier ou un zip de ceux-ci.
    """
    console = Console()
    wanted = asked(**options)
    asks = chosen(assignment or _recognised(file), exercises).measured_on(corpus)
    box, steps = wanted.box()
    for says in (
        *(tr("not {rung}: {why}", rung=step.rung, why=step.problem) for step in steps),
        *_open_banner(box.rung),
    ):
        console.print(says, style="yellow", markup=False)
    try:
        with box, stopwatch(box, deck := wanted.deck(seed), threads if timing else 0) as watch:
            result = Grader(asks, deck, box, watch).grade(file, _name_of(file))
    except BoxBroken as error:
        fail(str(error))
    terminal.show(console, result)
    sys.exit(status([result]))


def _open_banner(rung: Rung) -> list[str]:
    says = tr("NOT BOXED: it runs with all your rights. Only for your own code.")
    return [explained(says, "box")] if rung is Rung.OPEN else []


def _name_of(path: Path) -> str:
    whole = path.resolve()
    return whole.name if path.is_dir() else whole.stem


def _recognised(file: Path) -> str:
    """The assignment most of whose symbols the file has."""
    try:
        with bounded():
            symbols = study(read(file)).symbols
    except Unreadable as error:
        raise click.UsageError(str(error)) from error
    found = {name: len(symbols & symbols_of(name)) for name in assignment_names()}
    name = max(found, key=lambda name: found[name])
    if not found[name]:
        known = ", ".join(assignment_names())
        says = later("{file} defines nothing that an assignment asks for; --assignment names one ({known})")
        raise click.UsageError(tr(says, file=file, known=known))
    return name
