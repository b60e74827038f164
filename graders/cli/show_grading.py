"""Show a run over a class in the terminal, from its first event to its exit status. Imports no PyTorch."""

import sys
from collections.abc import Callable
from pathlib import Path
from typing import NoReturn, TypeVar

import click
from rich.console import Console

from graders.batch.class_options import ClassOptions
from graders.batch.class_results import ClassResults
from graders.batch.errors import CannotGrade, FolderChanged, NoWall, RunStopped
from graders.batch.events import Event
from graders.batch.part_record import Part
from graders.classroom.run_marks import compute_run_marks
from graders.cli import run_summary
from graders.cli.describe_changes import describe_changes
from graders.cli.elapsed import seconds_running
from graders.cli.exit_status import fail, status
from graders.cli.show_run import ShownRun
from graders.help.topics import with_topic
from graders.language import number, tr, translatable, trn
from reports import terminal

CHANGES = 20  # lines of each list of what changed
T = TypeVar("T")


def show_grading(grade: Callable[[Callable[[Event], None]], T]) -> T:
    """Grade a class and show what happens; returns what comes of it.

    Args:
        grade: grades, and is given what shows an event.

    Raises:
        click.UsageError: the class, its roster or the folder for the results cannot be used.
    """
    shown = ShownRun()
    try:
        return grade(shown.show)
    except NoWall as error:
        raise click.UsageError(with_topic(_describe_no_wall(error), "box")) from error
    except CannotGrade as error:
        raise click.UsageError(str(error)) from error
    except FolderChanged as error:
        fail(error.reason)
    except RunStopped as error:
        fail(_describe_stop(error.reason, error.done, error.total))
    except KeyboardInterrupt:
        if not shown.total:
            raise
        fail(_describe_stop(tr("interrupted"), shown.done, shown.total))
    finally:
        shown.close()


def end_with(done: ClassResults, options: ClassOptions) -> NoReturn:
    """Summarise the results, and end with their status.

    Args:
        done: the results.
        options: what was asked for.
    """
    out = done.out or Path()  # the command always has one
    for note in run_summary.shorten_notes(done.notes, out):
        click.echo(note, err=True)
    for line in run_summary.describe_run(done):
        click.echo(line)
    if options.against:
        console = Console(width=min(Console().width, terminal.WIDTH), highlight=False)
        now = compute_run_marks(out, done.results).results
        for line in describe_changes(options.against.results, now, CHANGES):
            terminal.show_sentence(console, line)
    click.echo(_describe_end(done, options.part, out))
    sys.exit(status(done.results))


def _describe_no_wall(error: NoWall) -> str:
    message = tr("Without a box, other people's code is graded only with --unsafe.")
    why = [tr("{level}: {why}", level=levels, why=problem) for levels, problem in error.failed]
    return "\n".join([*why, message])


def _describe_stop(reason: str, done: int, total: int) -> str:
    if not total:
        return reason
    message = translatable(
        "{reason}, with {done} of {total} submissions done; the results so far are in place, and the same "
        "command goes on from there"
    )
    return tr(message, reason=reason, done=number(done, ","), total=number(total, ","))


def _describe_end(done: ClassResults, part: Part | None, out: Path) -> str:
    count, seconds = len(done.results), number(seconds_running(), ".1f")
    if part is None:
        return trn(
            "{n} submission in {seconds} s; pages: {path}",
            "{n} submissions in {seconds} s; pages: {path}",
            count,
            seconds=seconds,
            path=out / "index.html",
        )
    return trn(
        "{n} submission of part {part} in {seconds} s; softmark gather puts all parts together: {path}",
        "{n} submissions of part {part} in {seconds} s; softmark gather puts all parts together: {path}",
        count,
        part=part,
        seconds=seconds,
        path=out,
    )
