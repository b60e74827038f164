"""What `softmark grade` does once its options are known to be right."""

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import NoReturn

from graders.batch.class_options import ClassOptions
from graders.batch.class_results import ClassResults
from graders.batch.events import Event
from graders.batch.grade_class import grade_class
from graders.cli.draw_heads import draw_class_heads
from graders.cli.kept_levels import keep_held
from graders.cli.show_grading import end_with, show_grading
from graders.cluster.addresses import Cluster
from graders.cluster.grade_on_cluster import on_cluster
from graders.heads.request import Request
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

    def grade(on_event: Callable[[Event], None]) -> ClassResults:
        done = grade_class(handed_in, assignment, options, on_event=on_event, started=started)
        if done.level.walled:  # without a wall, each run warns
            keep_held(done.level, is_best=options.box.level is None)
        return done

    end_with(show_grading(grade), options)
