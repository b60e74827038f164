"""Download a text once from its public address, check its digest, and keep it in a cache."""

import hashlib
import os
from dataclasses import dataclass
from pathlib import Path

import platformdirs

from graders.language import tr
from graders.results.atomic_write import write_atomically

TIMEOUT_S = 30.0
HOME = "SOFTMARK_CORPORA"  # the environment variable that names the cache folder


class NotFetched(Exception):
    """The text is not in the cache and could not be downloaded. The message is for the user."""


@dataclass(frozen=True)
class Public:
    """A text at a public address, with its size in bytes and its SHA-256."""

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


def cache_folder() -> Path:
    """The folder in which downloaded texts are kept."""
    named = os.environ.get(HOME)
    return Path(named) if named else platformdirs.user_cache_path("softmark") / "corpora"


def fetch(public: Public) -> bytes:
    """The bytes of the text, from the cache or else from its address.

    Raises:
        NotFetched: the text cannot be downloaded, or has another digest.
    """
    path = cache_folder() / public.name
    try:
        data = path.read_bytes()
        if has_digest(public, data):
            return data
    except OSError:
        pass
    data = _download(public)
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        write_atomically(path, data)
    except OSError:  # without a cache, it is downloaded again next time
        pass
    return data


def has_digest(public: Public, data: bytes) -> bool:
    """Whether the bytes have the size and digest of the text."""
    return len(data) == public.size and hashlib.sha256(data).hexdigest() == public.sha256


def _download(public: Public) -> bytes:
    import http.client  # these take time, and hardly any command downloads anything
    import urllib.request

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
            folder=cache_folder(),
        )
        raise NotFetched(message) from error
    if not has_digest(public, data):
        message = tr(
            "the text at {address} has changed: it no longer has {size} bytes with the known digest; "
            "name a file with --corpus instead",
            address=public.address,
            size=public.size,
        )
        raise NotFetched(message)
    return data
