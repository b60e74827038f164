"""`softmark check`: a student's look at their own work."""

import sys
from functools import partial
from pathlib import Path
from typing import Any

import click
from rich.console import Console

from graders.commands.exits import fail, status
from graders.commands.lang import lang_option
from graders.commands.watch import watch_option, watched_status
from graders.exercise import assignment_names, symbols_of
from graders.extract import study
from graders.grade import Grader
from graders.options import asked, box_options, chosen, corpus_option, seed_option, timing_option
from graders.reading.bounds import bounded
from graders.sandbox import BoxBroken
from graders.submission import Unreadable, read
from graders.timing.stopwatch import stopwatch
from graders.wall.rung import Rung
from reports import terminal


@click.command()
@click.argument("file", type=click.Path(exists=True, path_type=Path))
@click.option("--assignment", help="The assignment's name; found by the symbols in FILE if not given.")
@click.option("--exercise", "exercises", multiple=True, help="Check this exercise alone; may be given again.")
@corpus_option
@seed_option
@timing_option
@box_options
@watch_option
@lang_option
def check(
    file: Path,
    assignment: str | None,
    exercises: tuple[str, ...],
    corpus: str | None,
    seed: int,
    timing: bool,
    watched: bool,
    **options: Any,
) -> None:
    """Check one's own work: a notebook, a module, a folder or a zip of these."""
    console = Console()
    wanted = asked(**options)
    asks = chosen(assignment or _recognised(file), exercises).measured_on(corpus)
    box, steps = wanted.box()
    for says in (*(f"not {step.rung}: {step.problem}" for step in steps), *_open_banner(box.rung)):
        console.print(says, style="yellow", markup=False)
    try:
        with box, stopwatch(box, deck := wanted.deck(seed), timing and not watched) as watch:
            grade = partial(Grader(asks, deck, box, watch).grade, file, _name_of(file))
            if watched:
                sys.exit(watched_status(file, grade, console))
            result = grade()
    except BoxBroken as error:
        fail(str(error))
    terminal.show(console, result)
    sys.exit(status([result]))


def _open_banner(rung: Rung) -> list[str]:
    return ["NOT BOXED: it runs with all your rights. Only for your own code."] if rung is Rung.OPEN else []


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
        raise click.UsageError(
            f"{file} defines nothing that an assignment asks for; --assignment names one ({known})"
        )
    return name
