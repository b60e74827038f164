"""What `softmark check` does once its options are known to be right."""

import sys
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import NoReturn

import click

from graders.batch.grade_submission import name_of, open_grader
from graders.batch.prepare_run import make_draws
from graders.cli.elapsed import seconds_running
from graders.cli.exit_status import fail
from graders.cli.grading_options import load_chosen, open_box
from graders.cli.output_formats import Outputs
from graders.cli.watch import watch_submission
from graders.heads.request import Request
from graders.help.topics import with_topic
from graders.language import tr, translatable
from graders.sandbox.box import Box
from graders.sandbox.box_options import BoxOptions
from graders.sandbox.interpreter import BoxBroken
from graders.sandbox.isolation.choose_level import StartedInterpreter
from graders.sandbox.isolation.level import IsolationLevel
from graders.sandbox.isolation.needs import first_level
from graders.timing.plan import Plan


@dataclass(frozen=True, kw_only=True)
class CheckOptions:
    """What the command line asks for.

    Attributes:
        attempted: whether the file holds any answer; without one, no box is needed.
        timing: how correct answers are timed; None times nothing.
        watched: whether to check again at every save.
        box: its isolation, its limits, the device and the precision.
        heads: the sentence on which attention is drawn, if one was given.
    """

    file: Path
    assignment: str
    exercises: tuple[str, ...]
    attempted: bool
    corpus: str | None
    seed: int
    timing: Plan | None
    outputs: Outputs
    watched: bool
    box: BoxOptions
    heads: Request | None = None


def check_file(asked: CheckOptions, started: StartedInterpreter) -> NoReturn:
    """Check a submission in the interpreter that was `started`, write the outputs, and end with the status.

    Raises:
        click.UsageError: the chosen isolation level does not hold here, or an output cannot be written.
    """
    whole = load_chosen(asked.assignment, corpus=asked.corpus)
    assignment = whole.only(asked.exercises)
    box, file, outputs = _open(asked, started), asked.file, asked.outputs
    try:
        draws = make_draws(asked.box, asked.seed, box.level, submission=file)
        with open_grader(whole, assignment, box=box, draws=draws, timing=asked.timing) as grader:
            grade = partial(grader.grade, file, name_of(file))
            if asked.watched:
                sys.exit(watch_submission(file, grade, outputs.console(), every=outputs.every))
            if not (asked.heads and asked.attempted):
                result, drawn = grade(), None
            else:
                from graders.cli.draw_heads import draw_file_heads, open_heads  # imports what makes pages

                heads = open_heads(asked.heads, box.level)
                result = grade()
                drawn = draw_file_heads(heads, file, result, assignment=assignment, draws=draws, box=box)
    except BoxBroken as error:
        fail(str(error))
    result = replace(result, seconds=round(seconds_running(), 3))
    try:
        replace(outputs, heads=drawn).write(result, file)
    except OSError as error:
        raise click.UsageError(tr("cannot write: {error}", error=error)) from error
    sys.exit(outputs.status(result))


def _open(asked: CheckOptions, started: StartedInterpreter) -> Box:
    """The box, with a sentence about it where it is not the best one."""
    if not asked.attempted:
        return Box(asked.box.level or first_level(), asked.box.limits, asked.box.device)
    box, steps = open_box(asked.box, started)
    if sentence := _about(box.level, weaker=bool(steps)):
        style = "dim" if box.level is IsolationLevel.PROCESS else "yellow"
        asked.outputs.console().print(sentence, style=style, markup=False)
    return box


def _about(level: IsolationLevel, *, weaker: bool) -> str | None:
    """One line where the box is not the best one; why there is no better one is the doctor's to say."""
    if level is IsolationLevel.PROCESS:
        return with_topic(tr("Your code runs with your rights, in a process of its own."), "box")
    if level is IsolationLevel.OPEN:
        return with_topic(tr("NOT BOXED: it runs with all your rights. Only for your own code."), "box")
    message = translatable("The box {level} is in force; softmark doctor says why there is no better one.")
    return tr(message, level=level) if weaker else None
