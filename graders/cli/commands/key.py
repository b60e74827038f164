"""`softmark key`: the answer key of an assignment."""

import sys
from pathlib import Path

import click

from graders import locations
from graders.cli.exit_status import ALL_PASSED, fail
from graders.cli.grading_options import SEED, load_chosen
from graders.cli.language_option import lang_option
from graders.cli.translated_command import Command
from graders.handout.make_key import make_key
from graders.handout.refused import Refused
from graders.language import tr, translatable
from graders.results.atomic_write import write_atomically


@click.command(cls=Command)
@click.argument("name", metavar="NAME")
@click.option(
    "--out",
    required=True,
    type=click.Path(dir_okay=False, path_type=Path),
    help=translatable("The file to write."),
)
@click.option(
    "--hints/--no-hints", default=True, help=translatable("With mistakes and their hints, or without.")
)
@lang_option
def key(name: str, out: Path, hints: bool) -> None:
    """Write the answer key of the assignment NAME: data by which `softmark check` decides as `grade` does.

    It holds answers to the draws of `softmark check`, what known mistakes look like, and their hints, and no
    line of a solution.

    fr: Écrire la clé du devoir NAME : des données par lesquelles `softmark check` décide comme `grade`.

        Elle contient les réponses aux tirages de `softmark check`, les traces des erreurs connues et leurs
        indices, et aucune ligne d'une solution.
    """
    if locations.solutions() is None:
        raise click.UsageError(
            tr(
                "a key is made from the solutions: {name} names their folder",
                name=locations.SOLUTIONS_VARIABLE,
            )
        )
    try:
        write_atomically(out.resolve(), make_key(load_chosen(name, ()), SEED, hints))
    except Refused as refused:
        fail(tr("no key is made: {reason}", reason=refused))
    except OSError as error:
        raise click.UsageError(tr("cannot write {out}: {reason}", out=out, reason=error.strerror)) from error
    click.echo(tr("written: {out}", out=out))
    sys.exit(ALL_PASSED)
