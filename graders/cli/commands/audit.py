"""`softmark audit`: do the checks bite?"""

import sys
import tomllib
from pathlib import Path
from typing import Any

import click
from rich.console import Console

from graders.audit import audit as audits
from graders.audit.load_exercises import Loaded, load_exercises
from graders.batch.grade_class import Class, WarmBox
from graders.cli.exit_status import ALL_PASSED, SOME_DID_NOT
from graders.cli.grading_options import box_options, parse_asked, seed_option
from graders.cli.jobs_option import jobs_option
from graders.cli.language_option import lang_option
from graders.cli.progress import follow
from graders.cli.results_folder import make_folder
from graders.cli.translated_command import Command
from graders.course.exercise import Assignment, UnknownName
from graders.help.topics import with_topic
from graders.language import tr, translatable
from reports import audit as audit_report


@click.command(cls=Command)
@click.argument("name", required=False)
@click.option(
    "--out",
    type=click.Path(file_okay=False, path_type=Path),
    help=translatable("Write a page here; for its tables every check is tried on every mistake."),
)
@jobs_option
@seed_option
@box_options
@lang_option
def audit(name: str | None, out: Path | None, jobs: int, seed: int, **options: Any) -> None:
    """Do the checks bite? NAME is an assignment or an exercise; without it, all are audited.

    fr: Les vérifications sont-elles efficaces ? NAME est un devoir ou un exercice ; sans lui, tout est passé
        en revue.
    """
    if out is not None:
        make_folder(out)
    loaded = _load(name)
    wanted = parse_asked(**options)
    whole = Assignment("audit", "audit", tuple(exercise for _, exercise in loaded.exercises))
    draws = wanted.draws(seed, 0)
    total = len(loaded.exercises) + len(loaded.faulty)
    label, noted = tr("exercises"), tr("gaps")
    try:
        with wanted.box()[0] as box:
            plan = Class(
                whole, draws, box.level, box.limits, box.device, lambda *_: None, warm_box=WarmBox(box)
            )
            results = audits.audit(loaded, plan, jobs, thorough=out is not None)
            audited = list(follow(results, total, label, lambda e: len(e.gaps), noted))
    except audits.NoSolutions as error:
        raise click.UsageError(with_topic(error, "reference")) from error
    shown = sorted(audited, key=lambda exercise: loaded.order.index(exercise.name))
    audit_report.show(Console(), shown)
    if out is not None:
        click.echo(tr("page: {path}", path=audit_report.publish(out, shown)))
    sys.exit(SOME_DID_NOT if any(exercise.gaps for exercise in shown) else ALL_PASSED)


def _load(name: str | None) -> Loaded:
    """The exercises of the course, or those that `name` names."""
    try:
        return load_exercises(name)
    except UnknownName as error:
        raise click.UsageError(str(error)) from error
    except tomllib.TOMLDecodeError as error:
        message = tr("assignments/course.toml is no TOML: correct it: {error}", error=error)
        raise click.UsageError(message) from error
