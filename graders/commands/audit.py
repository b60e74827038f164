"""`softmark audit`: do the checks bite?"""

import sys
from pathlib import Path
from typing import Any

import click
from rich.console import Console

from graders import audit as audits
from graders.audited import AuditedExercise
from graders.batch import Class, default_jobs
from graders.commands.exits import ALL_PASSED, SOME_DID_NOT
from graders.exercise import Assignment, UnknownName, assignment_names, load_assignment
from graders.options import asked, box_options, seed_option
from graders.progress import followed
from reports import audit as audit_report


@click.command()
@click.argument("name", required=False)
@click.option("--out", type=click.Path(file_okay=False, path_type=Path), help="Write the page here too.")
@click.option("--jobs", default=default_jobs(), show_default="all processors", type=click.IntRange(1, 256))
@seed_option
@box_options
def audit(name: str | None, out: Path | None, jobs: int, seed: int, **options: Any) -> None:
    """Do the checks bite? NAME is an assignment or an exercise; without it, all are audited."""
    audited = _audited(name)
    wanted = asked(**options)
    box, _ = wanted.box()
    box.close()  # each job has its own
    exercises = [(assignment.name, e) for assignment in audited for e in assignment.exercises]
    whole = Assignment("audit", "audit", tuple(e for _, e in exercises))
    plan = Class(whole, wanted.deck(seed, 0), box.rung, box.limits, box.device, lambda *_: None)
    try:
        came = followed(audits.audit(exercises, plan, jobs), len(exercises), "exercises", _gaps)
    except audits.NoSolutions as error:
        raise click.UsageError(str(error)) from error
    order = [e.name for _, e in exercises]
    found = sorted(came, key=lambda audited: order.index(audited.name))
    audit_report.show(Console(), found)
    if out is not None:
        click.echo(f"page: {audit_report.publish(out, found)}")
    sys.exit(SOME_DID_NOT if any(e.gaps for e in found) else ALL_PASSED)


def _audited(name: str | None) -> list[Assignment]:
    """The assignments of the course, or those parts of them that `name` names."""
    every = [load_assignment(one) for one in assignment_names()]
    if name is None or name in assignment_names():
        return [assignment for assignment in every if name in (None, assignment.name)]
    holding = [a for a in every if name in {e.name for e in a.exercises}]
    if not holding:
        known = [*assignment_names(), *(e.name for a in every for e in a.exercises)]
        raise click.UsageError(str(UnknownName.of("assignment or exercise", name, known)))
    return [assignment.only([name]) for assignment in holding]


def _gaps(found: list[AuditedExercise]) -> str:
    return f"{sum(len(e.gaps) for e in found)} gaps"
