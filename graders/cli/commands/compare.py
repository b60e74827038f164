"""`softmark compare`: two gradings side by side, of one class before and after a change, or of two years."""

import sys
from pathlib import Path

import click
from rich.console import Console

from graders.batch.load_class import load_class
from graders.classroom.run_marks import compute_run_marks
from graders.cli.course_option import course_option, use_kept_course
from graders.cli.describe_changes import describe_changes
from graders.cli.exit_status import ALL_PASSED
from graders.cli.language_option import lang_option, speak_as_results
from graders.cli.option_purpose import Purpose
from graders.cli.part_option import refuse_part
from graders.cli.translated_command import Command, option
from graders.language import translatable
from graders.results.result import Result
from reports import terminal

_FOLDER = click.Path(exists=True, file_okay=False, path_type=Path)


@click.command(cls=Command)
@click.argument("old", type=_FOLDER)
@click.argument("new", type=_FOLDER)
@option(
    Purpose.OUTPUT,
    "--most",
    type=click.IntRange(min=1),
    default=20,
    show_default=True,
    help=translatable("How many lines of each list are shown."),
)
@course_option
@lang_option
def compare(old: Path, new: Path, most: int) -> None:
    """Compare the results in OLD and NEW: who has other points and why, and what more or fewer fail.

    fr: Comparer les résultats de OLD et de NEW : qui a d'autres points et pourquoi, et ce que plus ou moins
        d'étudiants ratent.
    """
    speak_as_results(new)
    use_kept_course(new)
    classes = list[list[Result]]()
    for folder in (old, new):
        refuse_part(folder)
        results, notes = load_class(folder)
        for note in notes:
            click.echo(note, err=True)
        classes.append(compute_run_marks(folder, results).results)
    console = Console(width=min(Console().width, terminal.WIDTH), highlight=False)
    for line in describe_changes(classes[0], classes[1], most):
        terminal.show_sentence(console, line)
    sys.exit(ALL_PASSED)
