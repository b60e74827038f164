"""What `--heads` does in `softmark grade` and `softmark check`, once its options are known to be right."""

import traceback
from collections.abc import Iterator
from pathlib import Path

import click

from graders.batch.class_run import ClassRun
from graders.course.exercise import Assignment
from graders.heads.draw_class import describe_failure, draw_run
from graders.heads.draw_heads import Drawer
from graders.heads.open_request import OpenedRequest, open_request
from graders.heads.pretrained import BadModel
from graders.heads.request import Request
from graders.judging.draws import Draws
from graders.language import tr
from graders.results.heads import Heads
from graders.results.result import Result
from graders.sandbox.box import Box
from graders.sandbox.isolation.level import IsolationLevel


def draw_class_heads(request: Request, run: ClassRun) -> Iterator[str | None]:
    """What draws all submissions of a run; its pretrained model is drawn now.

    Raises:
        click.UsageError: the model's folder cannot be used.
    """
    return draw_run(open_heads(request, run.plan.level), run)


def draw_file_heads(
    opened: OpenedRequest, file: Path, result: Result, *, assignment: Assignment, draws: Draws, box: Box
) -> Heads | None:
    """The drawings of one submission; None after a fault of ours, which is printed."""
    name = result.submission.id
    request = opened.request
    try:
        drawings = Drawer(assignment, draws, box, request, opened.pretrained).draw(file, name)
    except Exception:  # the result is more than its drawings
        click.echo(describe_failure(name, traceback.format_exc(limit=-6)), err=True)
        return None
    return Heads("", result.submission.sha256, request.sentence, drawings)


def open_heads(request: Request, level: IsolationLevel) -> OpenedRequest:
    """Draw the pretrained model, if there is one, in a box of its own.

    Raises:
        click.UsageError: the model's folder cannot be used.
    """
    try:
        return open_request(request, level)
    except (BadModel, OSError) as error:
        raise click.UsageError(tr("--heads-model: {reason}", reason=error)) from error
