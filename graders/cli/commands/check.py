"""`softmark check`: a student's look at their own work."""

import contextlib
from collections.abc import Collection, Iterable
from dataclasses import replace
from pathlib import Path
from typing import Any

import click

from graders.cli.course_option import course_option, settle_course
from graders.cli.heads_option import heads_options, take_heads
from graders.cli.language_option import lang_option
from graders.cli.link_option import link_option
from graders.cli.option_purpose import Purpose
from graders.cli.options import box_options, corpus_option, seed_option, threads_option
from graders.cli.output_formats import format_options, parse_formats
from graders.cli.parse_options import parse_box_options, refuse_unknown
from graders.cli.start import hand_over, handed_over
from graders.cli.start_box import starting_interpreter
from graders.cli.timing_option import check_timing_option, plan_timing
from graders.cli.translated_command import Command, option
from graders.cli.watch import watch_option
from graders.course.course_file import course_table
from graders.course.outline import assignment_names, choose, recognise
from graders.extraction.extract import Source, study
from graders.extraction.other_names import extract_by_names
from graders.language import tr, translatable
from graders.submission.read import Unreadable, read
from graders.submission.resource_bounds import bound_resources


@click.command(cls=Command)
@click.argument("file", type=click.Path(exists=True, path_type=Path))
@option(
    Purpose.WORK,
    "--assignment",
    help=translatable("The assignment's name; found by the symbols in FILE if not given."),
)
@option(
    Purpose.WORK,
    "--exercise",
    "exercises",
    multiple=True,
    help=translatable("Check only this exercise; may be given again."),
)
@option(
    Purpose.OUTPUT,
    "-v",
    "--verbose",
    is_flag=True,
    help=translatable("Show every check in full, also those that hold or have a cause that is shown."),
)
@corpus_option
@seed_option
@check_timing_option
@threads_option
@format_options
@link_option
@heads_options
@box_options
@watch_option
@course_option
@lang_option
def check(
    file: Path,
    assignment: str | None,
    exercises: tuple[str, ...],
    verbose: bool,
    corpus: str | None,
    seed: int,
    timing: str,
    threads: int,
    formats: tuple[str, ...],
    to: Path | None,
    fail_on: str | None,
    watched: bool,
    link_to: str,
    **options: Any,
) -> None:
    """Check your own work: a notebook, a module, a folder or a zip of these.

    fr: Vérifier votre propre travail : un notebook, un module, un dossier ou un zip de ceux-ci.
    """
    settle_course(file)
    heads, outputs = take_heads(options), parse_formats(formats, to, fail_on)
    link_to = link_to or course_table().link_to
    outputs = replace(outputs, every=verbose, whole=not exercises, link_to=link_to)
    box = parse_box_options(**options)
    if watched and not outputs.only_text:
        raise click.UsageError(tr("--watch is for a person who reads: it goes with no --format"))
    if heads is not None and not outputs.has_page:
        raise click.UsageError(tr("--heads draws on a page: add --format html --to FOLDER"))
    parsed = handed_over()
    if not parsed:
        assignment = assignment or _recognise(file, exercises)
        refuse_unknown(assignment, exercises)
        parsed = {
            "assignment": assignment,
            "attempted": watched or _is_attempted(file, assignment, exercises),
        }
        hand_over(**parsed)
    assignment, attempted = parsed["assignment"], parsed["attempted"]
    with starting_interpreter(box) if attempted else contextlib.nullcontext() as started:
        from graders.cli.actions.check import CheckOptions, check_file  # not before: it imports PyTorch

        chosen = CheckOptions(
            file=file,
            assignment=assignment,
            exercises=exercises,
            attempted=attempted,
            corpus=corpus,
            seed=seed,
            timing=None if watched else plan_timing(timing, threads),
            outputs=outputs,
            watched=watched,
            box=box,
            heads=heads,
        )
        check_file(chosen, started)


def _is_attempted(file: Path, assignment: str, exercises: Iterable[str]) -> bool:
    """Whether the file holds anything to run: a file that is as it was handed out needs no box."""
    try:
        with bound_resources():
            program = study(read(file))
            sources = (
                extract_by_names(program, o.symbol, o.other_names, o.handed_out)
                for o in choose(assignment, exercises)
            )
            return any(isinstance(source, Source) for source in sources)
    except Unreadable:
        return False
    except Exception:  # a fault of ours: grading meets it again, and reports it
        return True


def _recognise(file: Path, exercises: Collection[str]) -> str:
    """The name of the assignment most of whose symbols the file defines, and that has these exercises."""
    try:
        with bound_resources():
            symbols = study(read(file)).symbols
    except Unreadable as error:
        raise click.UsageError(str(error)) from error
    name = recognise(symbols, exercises)
    if name is None:
        raise click.UsageError(
            tr(
                "{file} defines nothing that an assignment asks for; --assignment names one ({known})",
                file=file,
                known=", ".join(assignment_names()),
            )
        )
    return name
