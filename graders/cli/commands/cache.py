"""`softmark cache`: what softmark keeps on the disk so as not to compute it again."""

import click

from graders.cli.exit_status import fail
from graders.cli.language_option import lang_option
from graders.cli.translated_command import Command, Group
from graders.language import number, tr, translatable
from graders.locations import CACHE_VARIABLE, cache_folder
from graders.results.kept_folder import FOLDERS

MB = 1e6  # bytes


class _Commands(Group):
    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:  # noqa: ARG002
        """Show the line of each command in the current language."""
        with formatter.section(tr("Commands")):
            formatter.write_dl([("clear", tr("Remove what is kept."))])


@click.group(cls=_Commands)
def cache() -> None:
    """Look after what softmark keeps on the disk, so as not to compute it again.

    fr: Gérer ce que softmark garde sur le disque pour ne pas le recalculer.
    """


@cache.command(cls=Command)
@lang_option
def clear() -> None:
    """Remove what is kept: draws with their answers, parts of answer keys, which boxes work here.

    Results do not change by it; the next run takes longer. Texts that were downloaded stay.

    fr: Supprimer ce qui est gardé : tirages et réponses, parties de corrigés, bacs à sable qui fonctionnent.

        Les résultats n'en changent pas ; la prochaine exécution prend plus de temps. Les textes téléchargés
        restent.
    """
    folder = cache_folder()
    if folder is None:
        click.echo(tr("nothing is kept: {variable} is off", variable=CACHE_VARIABLE))
        return
    size = sum(each.size() for each in FOLDERS)
    try:
        for each in FOLDERS:
            each.clear()
    except OSError as error:
        fail(tr("cannot write {out}: {reason}", out=error.filename or folder, reason=error.strerror))
    message = translatable("removed: {size} MB in {folder}")
    click.echo(tr(message, size=number(size / MB, ".1f"), folder=folder))
