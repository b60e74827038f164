"""Files that are kept from one handout to the next, by what they were made from; the oldest go first."""

import contextlib
import hashlib
import json
import sys
from functools import cache
from importlib.metadata import version
from pathlib import Path

from graders import locations
from graders.results.atomic_write import write_atomically

COMPUTING = ("torch", "hypothesis", "safetensors")  # packages on which what is made depends
MOST_BYTES = 2 << 30  # of all that is kept


def digest_of(*facts: object) -> str:
    """A digest of what something is made from; the versions of what computes are part of it."""
    listed = json.dumps([_versions(), facts], sort_keys=True)
    return hashlib.sha256(listed.encode()).hexdigest()[:32]


def read_kept(name: str) -> bytes | None:
    """The bytes that were kept under a name; None where there are none."""
    path = _folder() / name
    with contextlib.suppress(OSError):
        data = path.read_bytes()
        path.touch()  # it is used
        return data
    return None


def is_kept(name: str) -> bool:
    """Whether bytes are kept under a name."""
    return (_folder() / name).is_file()


def keep(name: str, data: bytes) -> None:
    """Keep bytes under a name. A folder that cannot be written costs time later, no more."""
    with contextlib.suppress(OSError):
        _folder().mkdir(parents=True, exist_ok=True, mode=0o700)
        write_atomically(_folder() / name, data)
        _forget_oldest()


def _forget_oldest() -> None:
    kept = sorted(((path.stat(), path) for path in _folder().iterdir()), key=lambda pair: -pair[0].st_mtime)
    total = 0
    for status, path in kept:
        total += status.st_size
        if total > MOST_BYTES:
            path.unlink(missing_ok=True)


def _folder() -> Path:
    return locations.cache_folder() / "keys"


@cache
def _versions() -> list[str]:
    return [sys.version, *(version(package) for package in COMPUTING)]
