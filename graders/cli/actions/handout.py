"""What `softmark handout` does once its options are known to be right."""

import sys
from pathlib import Path
from typing import NoReturn

import click

from graders.cli.actions.key import make_and_show
from graders.cli.exit_status import ALL_PASSED, fail
from graders.cli.grading_options import load_chosen
from graders.cli.handout_options import HandoutOptions
from graders.cli.options import SEED
from graders.handout.make import make_handout, write_handout
from graders.handout.platform import too_large_files
from graders.handout.platform_files import Bundle
from graders.handout.refused import HandoutRefused, refuse_faults
from graders.handout.reproducible_zip import make_zip
from graders.language import current_language, tr
from graders.results.atomic_write import write_atomically
from graders.sandbox.interpreter import BoxBroken
from graders.sandbox.isolation.choose_level import NoIsolation, best
from graders.sandbox.limits import Limits

# Generous limits: the references always end, and a busy machine must not make the handout fail.
_PATIENT = Limits(call_s=30, later_call_s=10, load_s=60, submission_s=900)


def write_handout_of(asked: HandoutOptions) -> NoReturn:
    """Write the handout of an assignment, and end with the status.

    Raises:
        click.UsageError: it cannot be written.
    """
    out, assignment = asked.out, load_chosen(asked.name)
    try:
        refuse_faults(assignment)
        # Where solutions go along, they decide.
        needs_key = asked.key != "none" and not asked.with_solutions
        answer_key = make_and_show(assignment, hints=asked.key == "full") if needs_key else None
        bundle = Bundle(
            assignment=assignment,
            language=current_language(),
            platform=asked.platform,
            softmark=asked.requirement,
            with_solutions=asked.with_solutions,
            answer_key=answer_key,
        )
        files = make_handout(bundle, lambda: best(_PATIENT)[0], SEED)
        write_handout(out, files)
        packed_file = out.resolve().with_name(f"{out.resolve().name}.zip") if asked.packed else None
        if packed_file:
            write_atomically(packed_file, make_zip(files))
    except HandoutRefused as refused:
        fail(tr("no handout is made: {reason}", reason=refused))
    except (BoxBroken, NoIsolation) as error:
        fail(str(error))
    except OSError as error:
        raise click.UsageError(tr("cannot write {out}: {reason}", out=out, reason=error.strerror)) from error
    _say(bundle, out)
    for name in too_large_files(asked.platform, files):
        message = tr(
            "{name} has {n} MB: GitHub refuses it in a push. Give it to students in another way, or make the"
            " handout with `--key none`",
            name=name,
            n=len(files[name]) >> 20,
        )
        click.echo(message, err=True)
    if packed_file:
        click.echo(tr("written: {out}", out=packed_file))
    sys.exit(ALL_PASSED)


def _say(bundle: Bundle, out: Path) -> None:
    for exercise in bundle.assignment.exercises:
        if exercise.rule is not None:
            click.echo(
                tr("{name} asks for a trained model: no reference was put into it", name=exercise.name)
            )
    click.echo(tr("written: {out}", out=out))
