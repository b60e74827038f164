"""A text fetched once by its public address, with its digest checked, and kept for the next time."""

import hashlib
import http.client
import os
import urllib.request
from dataclasses import dataclass
from pathlib import Path

import platformdirs

from graders.language import tr
from graders.results.atomic_write import write_atomically

TIMEOUT_S = 30.0
HOME = "SOFTMARK_CORPORA"  # an environment variable: where fetched texts are kept


class NotFetched(Exception):
    """The text is not here and could not be had. Text for people."""


@dataclass(frozen=True)
class Public:
    """A text that lies at a public address: `size` in bytes, and the SHA-256 of these."""

    name: str
    address: str
    size: int
    sha256: str


SHAKESPEARE = Public(
    "tinyshakespeare.txt",
    "https://raw.githubusercontent.com/karpathy/char-rnn/master/data/tinyshakespeare/input.txt",
    1_115_394,
    "86c4e6aa9db7c042ec79f339dcb96d42b0075e16b8fc2e86bf0ca57e2dc565ed",
)


def kept_in() -> Path:
    """The folder where fetched texts are kept."""
    named = os.environ.get(HOME)
    return Path(named) if named else platformdirs.user_cache_path("softmark") / "corpora"


def fetch(public: Public) -> bytes:
    """The text's bytes, from where they are kept, else from their address.

    Raises:
        NotFetched: they cannot be had, or are others than they should be.
    """
    path = kept_in() / public.name
    try:
        data = path.read_bytes()
        if is_right(public, data):
            return data
    except OSError:
        pass
    data = _asked(public)
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        write_atomically(path, data)
    except OSError:  # it serves this time, and is fetched again the next
        pass
    return data


def is_right(public: Public, data: bytes) -> bool:
    """Whether these are the text's bytes."""
    return len(data) == public.size and hashlib.sha256(data).hexdigest() == public.sha256


def _asked(public: Public) -> bytes:
    try:
        with urllib.request.urlopen(public.address, timeout=TIMEOUT_S) as answer:  # noqa: S310 - our address
            data: bytes = answer.read(public.size + 1)
    except (OSError, http.client.HTTPException) as error:
        message = tr(
            "{name} could not be fetched from {address} ({reason}); download it yourself, and "
            "name the file with --corpus, or put it into {folder}",
            name=public.name,
            address=public.address,
            reason=error,
            folder=kept_in(),
        )
        raise NotFetched(message) from error
    if not is_right(public, data):
        message = tr(
            "what lies at {address} is not the text that it was ({size} bytes of a known digest); "
            "--corpus names a file instead",
            address=public.address,
            size=public.size,
        )
        raise NotFetched(message)
    return data
