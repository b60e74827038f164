"""The options that name a cluster, for `softmark grade`, `softmark worker` and `softmark cluster`."""

from functools import partial
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import click

from graders.cli.option_purpose import Purpose
from graders.cli.translated_command import option
from graders.cluster.addresses import Address, BadAddress, Cluster, parse_address
from graders.language import tr, translatable

NEEDED = ("distributed", "cryptography")

certificates_option = option(
    Purpose.MACHINES,
    "--certificates",
    metavar="DIR",
    type=click.Path(exists=True, file_okay=False, path_type=Path),
    help=translatable("The folder that `softmark cluster init` made, or the part of it for this machine."),
)

cluster_option = option(
    Purpose.MACHINES,
    "--cluster",
    metavar="ADDRESS",
    help=translatable("Have the workers of this scheduler grade, such as tls://HOST:8786."),
)


def take_cluster(options: dict[str, Any]) -> Cluster | None:
    """Take `--cluster` and `--certificates` out of a command's options; None if there is no cluster.

    Raises:
        click.UsageError: they do not fit together.
    """
    text, certificates = options.pop("cluster"), options.pop("certificates")
    if text is None and certificates is not None:
        raise click.UsageError(tr("--certificates goes with --cluster ADDRESS"))
    if text is None:
        return None
    return Cluster(parse_cluster(text, certificates), certificates, partial(click.echo, err=True))


def require_cluster() -> None:
    """Require that Dask is installed.

    Raises:
        click.UsageError: it is not; the message says what to install.
    """
    if not all(map(find_spec, NEEDED)):
        sentence = translatable("a cluster needs more packages: pip install {what}")
        raise click.UsageError(tr(sentence, what="'softmark[cluster]'"))


def parse_cluster(text: str, certificates: Path | None) -> Address:
    """The address in an option or argument.

    Raises:
        click.UsageError: it cannot be used, or does not fit the certificates.
    """
    require_cluster()
    try:
        address = parse_address(text)
    except BadAddress as error:
        raise click.UsageError(str(error)) from error
    if address.encrypted and certificates is None:
        raise click.UsageError(tr("{address} needs --certificates DIR", address=address))
    if certificates is not None and not address.encrypted:
        message = tr("with certificates the address begins with tls://, and not with tcp://")
        raise click.UsageError(message)
    return address
