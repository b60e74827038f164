"""Files that are kept from one handout to the next, by what they were made from; the oldest go first."""

import hashlib
import json
import sys
from functools import cache
from importlib.metadata import version

from graders.results.kept_folder import KEYS

COMPUTING = ("torch", "hypothesis", "safetensors")  # packages on which what is made depends


def digest_of(*facts: object) -> str:
    """A digest of what something is made from; the versions of what computes are part of it."""
    listed = json.dumps([_versions(), facts], sort_keys=True)
    return hashlib.sha256(listed.encode()).hexdigest()[:32]


def read_kept(name: str) -> bytes | None:
    """The bytes that were kept under a name; None where there are none."""
    return KEYS.read(name)


def is_kept(name: str) -> bool:
    """Whether bytes are kept under a name."""
    return KEYS.has(name)


def keep(name: str, data: bytes) -> None:
    """Keep bytes under a name. A folder that cannot be written costs time later, no more."""
    KEYS.keep(name, data)


@cache
def _versions() -> list[str]:
    return [sys.version, *(version(package) for package in COMPUTING)]
