"""`softmark check`: a student's look at their own work."""

import sys
import time
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import click

from graders.cli.exit_status import fail
from graders.cli.grading_options import (
    box_options,
    corpus_option,
    load_chosen,
    parse_asked,
    seed_option,
    threads_option,
    timing_option,
)
from graders.cli.language_option import lang_option
from graders.cli.output_formats import format_options, parse_formats
from graders.cli.translated_command import Command
from graders.cli.watch import watch_option, watch_submission
from graders.course.outline import assignment_names, recognise
from graders.extraction.extract import study
from graders.grade import Grader
from graders.help.topics import with_topic
from graders.language import tr, translatable
from graders.sandbox.box import BoxBroken
from graders.sandbox.isolation.level import IsolationLevel
from graders.submission.read import Unreadable, read
from graders.submission.resource_bounds import bound_resources
from graders.timing.stopwatch import open_stopwatch


@click.command(cls=Command)
@click.argument("file", type=click.Path(exists=True, path_type=Path))
@click.option(
    "--assignment", help=translatable("The assignment's name; found by the symbols in FILE if not given.")
)
@click.option(
    "--exercise",
    "exercises",
    multiple=True,
    help=translatable("Check only this exercise; may be given again."),
)
@corpus_option
@seed_option
@timing_option
@threads_option
@format_options
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
    threads: int,
    formats: tuple[str, ...],
    to: Path | None,
    fail_on: str | None,
    watched: bool,
    **options: Any,
) -> None:
    """Check your own work: a notebook, a module, a folder or a zip of these.

    fr: Vérifier votre propre travail : un notebook, un module, un dossier ou un zip de ceux-ci.
    """
    outputs, wanted = parse_formats(formats, to, fail_on), parse_asked(**options)
    if watched and not outputs.only_text:
        raise click.UsageError(tr("--watch is for a person who reads: it goes with no --format"))
    started = time.monotonic()
    asks = load_chosen(assignment or _recognise(file), exercises).measured_on(corpus)
    box, steps = wanted.box()
    refused = [tr("not {level}: {why}", level=step.level, why=step.problem) for step in steps]
    for sentence in (*refused, *_open_banner(box.level)):
        outputs.console().print(sentence, style="yellow", markup=False)
    try:
        timed = threads if timing and not watched else 0
        with box, open_stopwatch(box, draws := wanted.draws(seed), timed) as watch:
            grade = partial(Grader(asks, draws, box, watch).grade, file, _name_of(file))
            if watched:
                sys.exit(watch_submission(file, grade, outputs.console()))
            result = grade()
    except BoxBroken as error:
        fail(str(error))
    result = replace(result, seconds=round(time.monotonic() - started, 3))
    try:
        outputs.write(result, file)
    except OSError as error:
        raise click.UsageError(tr("cannot write: {error}", error=error)) from error
    sys.exit(outputs.status(result))


def _open_banner(level: IsolationLevel) -> list[str]:
    if level is not IsolationLevel.OPEN:
        return []
    message = tr("NOT BOXED: it runs with all your rights. Only for your own code.")
    return [with_topic(message, "box")]


def _name_of(path: Path) -> str:
    whole = path.resolve()
    return whole.name if path.is_dir() else whole.stem


def _recognise(file: Path) -> str:
    """The name of the assignment most of whose symbols the file defines."""
    try:
        with bound_resources():
            symbols = study(read(file)).symbols
    except Unreadable as error:
        raise click.UsageError(str(error)) from error
    name = recognise(symbols)
    if name is None:
        raise click.UsageError(
            tr(
                "{file} defines nothing that an assignment asks for; --assignment names one ({known})",
                file=file,
                known=", ".join(assignment_names()),
            )
        )
    return name
