"""What `softmark check` does once its options are known to be right."""

import sys
import time
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import NoReturn

import click

from graders.cli.exit_status import fail
from graders.cli.grading_options import load_chosen, make_draws, open_box
from graders.cli.output_formats import Outputs
from graders.cli.parse_options import Wanted
from graders.cli.watch import watch_submission
from graders.grade import Grader
from graders.help.topics import with_topic
from graders.language import tr
from graders.sandbox.box import BoxBroken
from graders.sandbox.isolation.level import IsolationLevel
from graders.timing.stopwatch import open_stopwatch


def check_file(
    file: Path,
    assignment: str,
    exercises: tuple[str, ...],
    corpus: str | None,
    seed: int,
    threads: int,
    outputs: Outputs,
    watched: bool,
    asked: Wanted,
) -> NoReturn:
    """Check a submission, write the outputs, and end with the status; with `threads`, time what passes.

    Raises:
        click.UsageError: the chosen isolation level does not hold here, or an output cannot be written.
    """
    started = time.monotonic()
    asks = load_chosen(assignment, exercises).measured_on(corpus)
    box, steps = open_box(asked)
    for sentence in _weaker_box(box.level) if steps else _open_banner(box.level):
        outputs.console().print(sentence, style="yellow", markup=False)
    try:
        with box, open_stopwatch(box, draws := make_draws(asked, seed), threads) as watch:
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


def _weaker_box(level: IsolationLevel) -> list[str]:
    """One line for a box that is not the best one; why there is no better one is the doctor's to say."""
    message = tr("The box {level} is in force; softmark doctor says why there is no better one.", level=level)
    return _open_banner(level) or [message]


def _name_of(path: Path) -> str:
    whole = path.resolve()
    return whole.name if path.is_dir() else whole.stem
