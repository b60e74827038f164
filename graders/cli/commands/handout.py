"""`softmark handout`: what students get of an assignment."""

import sys
from pathlib import Path

import click

from graders import locations
from graders.cli.exit_status import ALL_PASSED, fail
from graders.cli.grading_options import SEED, load_chosen
from graders.cli.language_option import lang_option
from graders.cli.translated_command import Command
from graders.handout.make import make_handout, write_handout
from graders.handout.make_key import make_key
from graders.handout.platform_files import PLATFORMS, Bundle, Platform
from graders.handout.refused import Refused
from graders.handout.reproducible_zip import make_zip
from graders.language import current_language, tr, translatable
from graders.results.atomic_write import write_atomically
from graders.sandbox.box import BoxBroken
from graders.sandbox.isolation.choose_level import NoIsolation, best
from graders.sandbox.limits import Limits

# Generous limits: the references always end, and a busy machine must not make the handout fail.
_PATIENT = Limits(call_s=30, later_call_s=10, load_s=60, submission_s=900)


@click.command(cls=Command)
@click.argument("name", metavar="NAME")
@click.option(
    "--out",
    required=True,
    type=click.Path(file_okay=False, path_type=Path),
    help=translatable("The folder to make; it must not be there, or be empty."),
)
@click.option(
    "--platform",
    type=click.Choice(PLATFORMS),
    default="github",
    show_default=True,
    help=translatable("Where students get it from and hand in."),
)
@click.option(
    "--softmark",
    "requirement",
    metavar="SPEC",
    help=translatable("How pip finds softmark; else its wheel goes along."),
)
@click.option(
    "--with-solutions", is_flag=True, help=translatable("Put the references into Gradescope's autograder.")
)
@click.option(
    "--zip", "packed", is_flag=True, help=translatable("Write the folder as a zip, too, beside it.")
)
@click.option(
    "--key",
    type=click.Choice(["none", "values", "full"]),
    default="none",
    show_default=True,
    help=translatable("What decides at the students': nothing, the answers, or also mistakes and hints."),
)
@click.option(
    "--force", is_flag=True, help=translatable("Write over a handout that is there; other files stay.")
)
@lang_option
def handout(
    name: str,
    out: Path,
    platform: Platform,
    requirement: str | None,
    with_solutions: bool,
    packed: bool,
    key: str,
    force: bool,
) -> None:
    """Make the handout of the assignment NAME: a notebook, a module, and what is needed to check them.

    It is made only if the stubs count as not attempted, the references in their place get full marks, and
    no line of a solution is in it.

    fr: Faire ce que les étudiants reçoivent du devoir NAME : un notebook, un module, et ce qu'il faut
        pour les vérifier.

        Il n'est fait que si les ébauches comptent comme non traitées, si la référence à leur place obtient
        tous les points, et si aucune ligne d'une solution ne s'y trouve.
    """
    if with_solutions and platform != "gradescope":
        raise click.UsageError(tr("--with-solutions is for gradescope alone: students see all else"))
    if not force and out.exists() and any(out.iterdir()):
        raise click.UsageError(tr("{out} is there already; --force writes over it", out=out))
    if locations.solutions() is None:
        message = tr(
            "a handout is proven by the solutions: {name} names their folder",
            name=locations.SOLUTIONS_VARIABLE,
        )
        raise click.UsageError(message)
    assignment = load_chosen(name, ())
    try:
        answer_key = None if key == "none" else make_key(assignment, SEED, hints=key == "full")
        bundle = Bundle(assignment, current_language(), platform, requirement, with_solutions, answer_key)
        box, _ = best(_PATIENT)
        with box:
            files = make_handout(bundle, box, SEED)
        write_handout(out, files)
        if packed:
            write_atomically(out.resolve().with_name(f"{out.resolve().name}.zip"), make_zip(files))
    except Refused as refused:
        fail(tr("no handout is made: {reason}", reason=refused))
    except (BoxBroken, NoIsolation) as error:
        fail(str(error))
    except OSError as error:
        raise click.UsageError(tr("cannot write {out}: {reason}", out=out, reason=error.strerror)) from error
    _say(bundle, out)
    sys.exit(ALL_PASSED)


def _say(bundle: Bundle, out: Path) -> None:
    for exercise in bundle.assignment.exercises:
        if exercise.rule is not None:
            click.echo(
                tr("{name} asks for a trained model: no reference was put into it", name=exercise.name)
            )
    click.echo(tr("written: {out}", out=out))
