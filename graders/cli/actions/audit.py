"""What `softmark audit` does once its options are known to be right."""

import sys
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import NoReturn

import click
from rich.console import Console

from graders.audit import audit as audits
from graders.audit.depth import Depth
from graders.audit.load_exercises import load_exercises
from graders.batch.grade_class import Class, WarmBox
from graders.cli.exit_status import ALL_PASSED, SOME_DID_NOT
from graders.cli.grading_options import make_draws, open_box
from graders.cli.parse_options import Wanted
from graders.cli.progress import follow
from graders.course.exercise import Assignment
from graders.help.topics import with_topic
from graders.language import tr, trn
from graders.results.audit_result import AuditedExercise
from reports import audit as audit_report


def audit_exercises(
    name: str | None, out: Path | None, jobs: int, seed: int, depth: Depth, asked: Wanted
) -> NoReturn:
    """Audit exercises, show what was found, and end with the status.

    Raises:
        tomllib.TOMLDecodeError: course.toml is no TOML.
        click.UsageError: there are no solutions here.
    """
    loaded = load_exercises(name)
    every_exercise = Assignment("audit", "audit", tuple(exercise for _, exercise in loaded.exercises))
    draws = make_draws(asked, seed, 0)
    total = len(loaded.exercises) + len(loaded.faulty)
    label = trn("{n} exercise", "{n} exercises", total)
    try:
        with open_box(asked)[0] as box:
            plan = Class(
                every_exercise,
                draws,
                box.level,
                box.limits,
                box.device,
                lambda *_: None,
                warm_box=WarmBox(box),
            )
            results = audits.audit(loaded, plan, jobs, depth)
            audited = list(follow(say_gaps(results), total, label, lambda e: len(e.gaps), _gaps))
    except audits.NoSolutions as error:
        raise click.UsageError(with_topic(error, "reference")) from error
    shown = sorted(audited, key=lambda exercise: loaded.order.index(exercise.name))
    audit_report.show(Console(), shown)
    if out is not None:
        click.echo(tr("page: {path}", path=audit_report.publish(out, shown)))
    sys.exit(SOME_DID_NOT if any(exercise.gaps for exercise in shown) else ALL_PASSED)


def say_gaps(exercises: Iterable[AuditedExercise]) -> Iterator[AuditedExercise]:
    """The same exercises; the gaps of each are printed on standard error as soon as it ends."""
    for exercise in exercises:
        for line in audit_report.gap_lines(exercise):
            click.secho(line, fg="red", err=True)
        yield exercise


def _gaps(count: int) -> str:
    return trn("{n} gap", "{n} gaps", count)
