"""Compiled templates are kept in the user's cache folder: to compile all of them takes 0.2 s of a command.

What lies there is code, so it is read only from a folder that is this user's and that nobody else may write
to. A file that is damaged, or was made by another version, is made again.
"""

import functools
import hashlib
import os
import stat
import sys
from contextlib import suppress
from importlib.metadata import version
from pathlib import Path

from jinja2.bccache import Bucket, BytecodeCache

from graders.locations import cache_folder
from graders.results.atomic_write import write_atomically

FOLDER = "templates"  # in the user's cache folder
DIGEST = 32  # bytes, at the beginning of each file


class CompiledTemplates(BytecodeCache):
    """Keeps a file for each template. Where the folder cannot be used, nothing is kept, and nothing fails.

    Args:
        settings: a digest of what the code depends on beside the template and the versions.
    """

    def __init__(self, settings: str) -> None:
        self._settings = settings

    def get_cache_key(self, name: str, filename: str | None = None) -> str:  # noqa: ARG002 - as Jinja calls it
        """The name of a template's file: one for all installations, so that there are never more files."""
        return hashlib.sha256(name.encode()).hexdigest()[:16]

    def get_source_checksum(self, source: str) -> str:
        """A digest of all that the code depends on."""
        facts = (source, self._settings, sys.version, _version_of_jinja())
        return hashlib.sha256(repr(facts).encode()).hexdigest()

    def load_bytecode(self, bucket: Bucket) -> None:
        """Read the code of a template, if it is there and as it was written."""
        folder = cache_folder() / FOLDER
        with suppress(OSError):
            data = (folder / bucket.key).read_bytes() if _is_ours_alone(folder) else b""
            if data[:DIGEST] == _digest_of(data[DIGEST:]):
                bucket.bytecode_from_string(data[DIGEST:])

    def dump_bytecode(self, bucket: Bucket) -> None:
        """Write the code of a template."""
        folder, data = cache_folder() / FOLDER, bucket.bytecode_to_string()
        with suppress(OSError):
            folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            if _is_ours_alone(folder):
                write_atomically(folder / bucket.key, _digest_of(data) + data)


def _digest_of(data: bytes) -> bytes:
    return hashlib.sha256(data).digest()


def _is_ours_alone(folder: Path) -> bool:
    """Whether a folder is this user's, and nobody else may write to it. Windows has no such rights."""
    if not hasattr(os, "getuid"):
        return True
    status = folder.lstat()
    others_write = status.st_mode & (stat.S_IWGRP | stat.S_IWOTH)
    return stat.S_ISDIR(status.st_mode) and status.st_uid == os.getuid() and not others_write


@functools.cache
def _version_of_jinja() -> str:
    return version("jinja2")
