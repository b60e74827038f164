"""`softmark handout`: what students get of an assignment."""

from pathlib import Path
from typing import Any

import click

from graders import locations
from graders.cli.course_option import course_option
from graders.cli.handout_options import HandoutOptions
from graders.cli.language_option import lang_option
from graders.cli.option_purpose import Purpose
from graders.cli.parse_options import refuse_unknown
from graders.cli.translated_command import Command, option
from graders.handout.platform import PLATFORMS
from graders.language import tr, translatable


@click.command(cls=Command)
@click.argument("name", metavar="NAME")
@option(
    Purpose.OUTPUT,
    "--out",
    required=True,
    type=click.Path(file_okay=False, path_type=Path),
    help=translatable("The folder to make; it must not be there, or be empty."),
)
@option(
    Purpose.HANDOUT,
    "--platform",
    type=click.Choice(PLATFORMS),
    default="github",
    show_default=True,
    help=translatable("Where students get it from and hand in."),
)
@option(
    Purpose.HANDOUT,
    "--softmark",
    "requirement",
    metavar="SPEC",
    help=translatable("How pip finds softmark; else its wheel goes along."),
)
@option(
    Purpose.HANDOUT,
    "--with-solutions",
    is_flag=True,
    help=translatable("Put the references into Gradescope's autograder."),
)
@option(
    Purpose.OUTPUT,
    "--zip",
    "packed",
    is_flag=True,
    help=translatable("Write the folder as a zip, too, beside it."),
)
@option(
    Purpose.HANDOUT,
    "--key",
    type=click.Choice(["none", "values", "full"]),
    default="full",
    show_default=True,
    help=translatable("What decides at the students': nothing, the answers, or also mistakes and hints."),
)
@option(
    Purpose.OUTPUT,
    "--force",
    is_flag=True,
    help=translatable("Write over a handout that is there; other files stay."),
)
@course_option
@lang_option
def handout(out: Path, force: bool, **options: Any) -> None:
    """Make the handout of the assignment NAME: a notebook, a module, and what is needed to check them.

    It is made only if the stubs count as not attempted, the references in their place get full marks, and
    no line of a solution is in it.

    fr: Faire ce que les étudiants reçoivent du devoir NAME : un notebook, un module, et ce qu'il faut
        pour les vérifier.

        Il n'est fait que si les ébauches comptent comme non traitées, si la référence à leur place obtient
        tous les points, et si aucune ligne d'une solution ne s'y trouve.
    """
    asked = HandoutOptions(out=out, **options)
    if asked.with_solutions and asked.platform != "gradescope":
        raise click.UsageError(tr("--with-solutions is for gradescope alone: students see all else"))
    if not force and out.exists() and any(out.iterdir()):
        raise click.UsageError(tr("{out} is there already; --force writes over it", out=out))
    if not locations.course().solution_folders:
        message = tr(
            "a handout is proven by the solutions: {name} names their folder",
            name=locations.SOLUTIONS_VARIABLE,
        )
        raise click.UsageError(message)
    refuse_unknown(asked.name)
    from graders.cli.actions.handout import write_handout_of  # not before: it imports PyTorch

    write_handout_of(asked)
