"""What `--heads` does in `softmark grade` and `softmark check`, once its options are known to be right."""

import traceback
from dataclasses import dataclass
from pathlib import Path

import click

from graders.batch.grade_class import Class
from graders.classroom.intake.download import Entry
from graders.cli.progress import follow
from graders.cli.save_results import ResultWriter
from graders.course.exercise import Assignment
from graders.heads.draw_class import ClassToDraw, describe_failure, digest_of_drawing, draw_class
from graders.heads.draw_heads import Drawer
from graders.heads.pretrained import BadModel, ModelFiles, draw_pretrained, find_files
from graders.heads.request import Request
from graders.judging.draws import Draws
from graders.language import number, tr, trn
from graders.results.heads import Drawing, Heads
from graders.results.result import Result
from graders.sandbox.box import Box
from graders.sandbox.isolation.level import IsolationLevel


@dataclass(frozen=True)
class HeadsToDraw:
    """The request, and what was drawn of the pretrained model: once, for every submission."""

    request: Request
    pretrained: Drawing | None = None
    files: ModelFiles | None = None

    def draw_class(
        self, todo: list[Entry], plan: Class, facts: dict[str, str], writer: ResultWriter, jobs: int
    ) -> None:
        """Draw all submissions that are not drawn yet, and write their pages anew."""
        to_draw = ClassToDraw(
            plan.assignment,
            plan.draws,
            plan.level,
            plan.limits,
            plan.device,
            writer.out,
            writer.write_pages,
            self.request,
            self.pretrained,
            digest_of_drawing(facts, self.request, self.files),
        )
        label = trn("heads of {n} submission", "heads of {n} submissions", len(todo))
        for problem in follow(draw_class(todo, to_draw, jobs), len(todo), label, _count, _not_drawn):
            if problem is not None:
                click.echo(problem, err=True)

    def draw_file(
        self, file: Path, result: Result, assignment: Assignment, draws: Draws, box: Box
    ) -> Heads | None:
        """The drawings of one submission; None after a fault of ours, which is printed."""
        name = result.submission.id
        try:
            drawings = Drawer(assignment, draws, box, self.request, self.pretrained).draw(file, name)
        except Exception:  # the result is more than its drawings
            click.echo(describe_failure(name, traceback.format_exc(limit=-6)), err=True)
            return None
        return Heads("", result.submission.sha256, self.request.sentence, drawings)


def open_heads(request: Request | None, level: IsolationLevel) -> HeadsToDraw | None:
    """Draw the pretrained model, if there is one, in a box of its own; None if nothing is to be drawn.

    Raises:
        click.UsageError: the model's folder cannot be used.
    """
    if request is None:
        return None
    if request.model is None:
        return HeadsToDraw(request)
    try:
        files = find_files(request.model.folder)
        return HeadsToDraw(request, draw_pretrained(request.model, request.sentence, level), files)
    except (BadModel, OSError) as error:
        raise click.UsageError(tr("--heads-model: {reason}", reason=error)) from error


def _count(problem: str | None) -> int:
    return int(problem is not None)


def _not_drawn(count: int) -> str:
    return tr("{n} not drawn", n=number(count, ","))
