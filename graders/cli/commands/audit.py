"""`softmark audit`: do the checks bite?"""

import sys
from pathlib import Path
from typing import Any

import click
from rich.console import Console

from graders.audit import audit as audits
from graders.batch.grade_class import Class
from graders.cli.exit_status import ALL_PASSED, SOME_DID_NOT
from graders.cli.grading_options import box_options, parse_asked, seed_option
from graders.cli.jobs_option import jobs_option
from graders.cli.language_option import lang_option
from graders.cli.progress import follow
from graders.cli.translated_command import Command
from graders.course.exercise import Assignment, UnknownName, assignment_names, load_assignment
from graders.help.topics import with_topic
from graders.language import tr, translatable
from reports import audit as audit_report


@click.command(cls=Command)
@click.argument("name", required=False)
@click.option(
    "--out", type=click.Path(file_okay=False, path_type=Path), help=translatable("Write the page here too.")
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
    chosen = _audited(name)
    wanted = parse_asked(**options)
    box, _ = wanted.box()
    box.close()  # each job has its own
    exercises = [(assignment.name, e) for assignment in chosen for e in assignment.exercises]
    whole = Assignment("audit", "audit", tuple(e for _, e in exercises))
    plan = Class(whole, wanted.deck(seed, 0), box.level, box.limits, box.device, lambda *_: None)
    try:
        audited_exercises = audits.audit(exercises, plan, jobs)
        label, noted = tr("exercises"), tr("gaps")
        results = list(follow(audited_exercises, len(exercises), label, lambda e: len(e.gaps), noted))
    except audits.NoSolutions as error:
        raise click.UsageError(with_topic(error, "reference")) from error
    order = [e.name for _, e in exercises]
    shown = sorted(results, key=lambda audited: order.index(audited.name))
    audit_report.show(Console(), shown)
    if out is not None:
        click.echo(tr("page: {path}", path=audit_report.publish(out, shown)))
    sys.exit(SOME_DID_NOT if any(e.gaps for e in shown) else ALL_PASSED)


def _audited(name: str | None) -> list[Assignment]:
    """The assignments of the course, or those parts of them that `name` names."""
    # What asks for a trained model has no checks: no answer of ours is right or wrong by its code alone.
    loaded = [load_assignment(title) for title in assignment_names()]
    every = [a.only(kept) for a in loaded if (kept := [e.name for e in a.exercises if e.rule is None])]
    if name is None or name in {a.name for a in every}:
        return [assignment for assignment in every if name in (None, assignment.name)]
    holding = [a for a in every if name in {e.name for e in a.exercises}]
    if not holding:
        names = [*assignment_names(), *(e.name for a in every for e in a.exercises)]
        raise click.UsageError(
            str(UnknownName.of(translatable("there is no assignment or exercise {name}"), name, names))
        )
    return [assignment.only([name]) for assignment in holding]
