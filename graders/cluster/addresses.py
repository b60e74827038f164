"""The addresses of a cluster: the loopback without certificates, or TLS."""

import ipaddress
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import urlsplit

from graders.language import tr

PORT = 8786


class BadAddress(ValueError):
    """An address that cannot be used. Text for whoever typed it."""


@dataclass(frozen=True)
class Address:
    """Where a scheduler listens."""

    scheme: str
    host: str
    port: int

    @property
    def encrypted(self) -> bool:
        """Whether it is reached by TLS."""
        return self.scheme == "tls"

    def __str__(self) -> str:
        host = f"[{self.host}]" if ":" in self.host else self.host
        return f"{self.scheme}://{host}:{self.port}"


@dataclass(frozen=True)
class Cluster:
    """A cluster, as the command line names it.

    Attributes:
        address: the scheduler's.
        certificates: the folder of the client's certificate; None for `tcp`.
        say: shows a sentence to whoever started the run.
    """

    address: Address
    certificates: Path | None
    say: Callable[[str], None]


def parse_address(text: str) -> Address:
    """The address in a text such as `tls://host:8786` or `tcp://127.0.0.1:8786`.

    Raises:
        BadAddress: it is none, or `tcp` leads out of this machine.
    """
    try:
        parts = urlsplit(text)
        address = Address(parts.scheme, parts.hostname or "", PORT if parts.port is None else parts.port)
    except ValueError as error:
        raise BadAddress(tr("{address} is no address: {reason}", address=repr(text), reason=error)) from error
    if address.scheme not in ("tcp", "tls") or not address.host or parts.path not in ("", "/"):
        message = tr("{address} is no address: write tls://HOST:{port}", address=repr(text), port=PORT)
        raise BadAddress(message)
    if not address.encrypted and not is_loopback(address.host):
        message = tr(
            "{address} leads out of this machine without encryption: whoever reaches it could run code on "
            "all workers. Use tls:// and the certificates of `softmark cluster init`.",
            address=address,
        )
        raise BadAddress(message)
    return address


def is_loopback(host: str) -> bool:
    """Whether a host is this machine, by a name or address that nobody else can have."""
    if host == "localhost":
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False
