"""What `softmark grade` does once its options are known to be right."""

import sys
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import NoReturn

import click

from graders.batch.class_options import ClassOptions
from graders.batch.class_results import ClassResults
from graders.batch.errors import CannotGrade, FolderChanged, NoWall, RunStopped
from graders.batch.grade_class import grade_class
from graders.batch.part_record import Part
from graders.cli import run_summary
from graders.cli.draw_heads import draw_class_heads
from graders.cli.elapsed import seconds_running
from graders.cli.exit_status import fail, status
from graders.cli.show_run import ShownRun
from graders.cluster.addresses import Cluster
from graders.cluster.grade_on_cluster import on_cluster
from graders.heads.request import Request
from graders.help.topics import with_topic
from graders.language import number, tr, translatable, trn
from graders.sandbox.isolation.choose_level import StartedInterpreter


def grade_submissions(
    handed_in: Path,
    assignment: str,
    options: ClassOptions,
    *,
    heads: Request | None,
    cluster: Cluster | None,
    started: StartedInterpreter,
) -> NoReturn:
    """Grade the class in the interpreter that was `started`, show what happens, and end with the status.

    Args:
        handed_in: the class.
        assignment: its name.
        options: what the command line asks for.
        heads: the sentence on which attention is drawn, if one was given.
        cluster: whose workers grade; None for this machine.
        started: the interpreter that was started for the box.

    Raises:
        click.UsageError: the class, its roster or the folder for the results cannot be used.
    """
    options = replace(
        options,
        elsewhere=partial(on_cluster, cluster) if cluster else None,
        draw=partial(draw_class_heads, heads) if heads else None,
    )
    shown = ShownRun()
    try:
        done = grade_class(handed_in, assignment, options, on_event=shown.show, started=started)
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
    _show_end(done, options.part)
    sys.exit(status(done.results))


def _show_end(done: ClassResults, part: Part | None) -> None:
    out = done.out or Path()  # the command always has one
    for note in run_summary.shorten_notes(done.notes, out):
        click.echo(note, err=True)
    for line in run_summary.describe_run(done):
        click.echo(line)
    click.echo(_describe_end(done, part, out))


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
