"""`softmark worker`: grade for hosts that use the same cluster."""

import sys
from pathlib import Path

import click

from graders.batch.process_pool import default_jobs
from graders.cli.cluster_options import certificates_option, parse_cluster
from graders.cli.exit_status import ALL_PASSED, fail
from graders.cli.language_option import lang_option
from graders.cli.option_purpose import Purpose
from graders.cli.translated_command import Command, option
from graders.language import tr, translatable, trn


@click.command(cls=Command)
@click.argument("address")
@option(
    Purpose.MACHINES,
    "--slots",
    default=default_jobs(),
    show_default=translatable("all processors"),
    type=click.IntRange(1, 256),
    help=translatable("The number of submissions graded at the same time."),
)
@certificates_option
@option(Purpose.BOX, "--unsafe", is_flag=True, help=translatable("Grade even if no box works here."))
@lang_option
def worker(address: str, slots: int, certificates: Path | None, unsafe: bool) -> None:
    """Grade for the scheduler at ADDRESS, such as tls://HOST:8786, until it ends.

    fr: Corriger pour l'ordonnanceur à ADDRESS, par exemple tls://HOST:8786, jusqu'à ce qu'il s'arrête.
    """
    where = parse_cluster(address, certificates)
    from graders.cluster.certificates import NoCertificates
    from graders.cluster.worker import run

    def say(own: str) -> None:
        sentence = trn(
            "{own} grades for {address}, {n} at a time",
            "{own} grades for {address}, {n} at a time",
            slots,
            own=own,
            address=where,
        )
        click.echo(sentence, err=True)

    try:
        run(where, slots, certificates, unsafe, say)
    except NoCertificates as error:
        raise click.UsageError(str(error)) from error
    except (OSError, TimeoutError) as error:
        reason = str(error) or type(error).__name__
        fail(tr("no scheduler answers at {address}: {reason}", address=where, reason=reason))
    except KeyboardInterrupt:
        sys.exit(ALL_PASSED)
    click.echo(tr("the scheduler at {address} has ended", address=where), err=True)
