"""`softmark key`: the answer key of an assignment."""

from pathlib import Path

import click

from graders import locations
from graders.cli.course_option import course_option
from graders.cli.language_option import lang_option
from graders.cli.option_purpose import Purpose
from graders.cli.parse_options import refuse_unknown
from graders.cli.translated_command import Command, option
from graders.language import tr, translatable


@click.command(cls=Command)
@click.argument("name", metavar="NAME")
@option(
    Purpose.OUTPUT,
    "--out",
    required=True,
    type=click.Path(dir_okay=False, path_type=Path),
    help=translatable("The file to write."),
)
@option(
    Purpose.HANDOUT,
    "--hints/--no-hints",
    default=True,
    help=translatable("With mistakes and their hints, or without."),
)
@course_option
@lang_option
def key(name: str, out: Path, hints: bool) -> None:
    """Write the answer key of the assignment NAME: data by which `softmark check` decides as `grade` does.

    It holds answers to the draws of `softmark check`, what known mistakes look like, and their hints, and no
    line of a solution.

    fr: Écrire la clé du devoir NAME : des données par lesquelles `softmark check` décide comme `grade`.

        Elle contient les réponses aux tirages de `softmark check`, les traces des erreurs connues et leurs
        indices, et aucune ligne d'une solution.
    """
    if not locations.course().solution_folders:
        raise click.UsageError(
            tr(
                "a key is made from the solutions: {name} names their folder",
                name=locations.SOLUTIONS_VARIABLE,
            )
        )
    refuse_unknown(name)
    from graders.cli.actions.key import write_key  # not before: it imports PyTorch

    write_key(name, out, hints)
