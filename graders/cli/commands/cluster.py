"""`softmark cluster`: the certificates of a cluster, and its scheduler."""

import sys
from pathlib import Path

import click

from graders.cli.cluster_options import certificates_option, parse_cluster, require_cluster
from graders.cli.exit_status import ALL_PASSED, fail
from graders.cli.language_option import lang_option
from graders.cli.option_purpose import Purpose
from graders.cli.translated_command import Command, Group, option
from graders.cluster.addresses import PORT
from graders.language import tr, translatable

# Each with its own line of help, in both languages.
LINES = {
    "init": translatable("Make the certificates of a cluster."),
    "scheduler": translatable("Run the scheduler."),
}


class _Commands(Group):
    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:  # noqa: ARG002
        """Show the line of each command in the current language."""
        with formatter.section(tr("Commands")):
            formatter.write_dl([(name, tr(message)) for name, message in LINES.items()])


@click.group(cls=_Commands)
def cluster() -> None:
    """Grade on several machines: the certificates of a cluster, and its scheduler.

    fr: Corriger sur plusieurs machines : les certificats d'une grappe et son ordonnanceur.
    """


@cluster.command(cls=Command)
@click.argument("folder", type=click.Path(path_type=Path))
@lang_option
def init(folder: Path) -> None:
    """Make the certificates of a cluster in FOLDER, in a part for each role.

    fr: Créer les certificats d'une grappe dans FOLDER, avec une partie pour chaque rôle.
    """
    require_cluster()
    from graders.cluster.certificates import make_certificates

    try:
        make_certificates(folder)
    except FileExistsError as error:
        raise click.UsageError(tr("{folder} is not empty: name a new folder", folder=folder)) from error
    except OSError as error:
        fail(tr("cannot write {out}: {reason}", out=folder, reason=error.strerror))
    sentence = translatable(
        "{folder}/worker goes to each machine that grades, {folder}/client to each that hands out work. "
        "Whoever has one of them can run code on all of these machines."
    )
    click.echo(tr(sentence, folder=folder))


@cluster.command(cls=Command)
@option(
    Purpose.MACHINES,
    "--address",
    default=f"tcp://127.0.0.1:{PORT}",
    show_default=True,
    help=translatable("Where it listens; anywhere but on this machine alone, tls:// and certificates."),
)
@certificates_option
@lang_option
def scheduler(address: str, certificates: Path | None) -> None:
    """Run the scheduler, to which workers and `softmark grade --cluster` connect, until Ctrl-C.

    fr: Lancer l'ordonnanceur, auquel se connectent les machines et `softmark grade --cluster`, jusqu'à
        Ctrl-C.
    """
    where = parse_cluster(address, certificates)
    from graders.cluster.certificates import NoCertificates
    from graders.cluster.scheduler import run

    def say(own: str) -> None:
        click.echo(tr("the scheduler listens at {address}", address=own), err=True)
        if not where.encrypted:
            sentence = translatable(
                "Every user of this machine can connect to it, and run code as you: "
                "where there are others, use certificates."
            )
            click.echo(tr(sentence), err=True)

    try:
        run(where, certificates, say)
    except NoCertificates as error:
        raise click.UsageError(str(error)) from error
    except OSError as error:
        fail(tr("cannot listen at {address}: {reason}", address=where, reason=error))
    except KeyboardInterrupt:
        sys.exit(ALL_PASSED)
