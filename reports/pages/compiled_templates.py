"""Compiled templates are kept in the user's cache folder: to compile all of them takes 0.2 s of a command.

What lies there is code: it is read only from a folder that is this user's and that nobody else may change
(`graders/results/kept_folder.py`). A file that is damaged, or was made by another version, is made again.
"""

import functools
import hashlib
import sys
from importlib.metadata import version

from jinja2.bccache import Bucket, BytecodeCache

from graders.results.kept_folder import TEMPLATES

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
        return name

    def get_source_checksum(self, source: str) -> str:
        """A digest of all that the code depends on."""
        facts = (source, self._settings, sys.version, _version_of_jinja())
        return hashlib.sha256(repr(facts).encode()).hexdigest()

    def load_bytecode(self, bucket: Bucket) -> None:
        """Read the code of a template, if it is there and as it was written."""
        data = TEMPLATES.read(bucket.key) or b""
        if data[:DIGEST] == _digest_of(data[DIGEST:]):
            bucket.bytecode_from_string(data[DIGEST:])

    def dump_bytecode(self, bucket: Bucket) -> None:
        """Write the code of a template."""
        data = bucket.bytecode_to_string()
        TEMPLATES.keep(bucket.key, _digest_of(data) + data)


def _digest_of(data: bytes) -> bytes:
    return hashlib.sha256(data).digest()


@functools.cache
def _version_of_jinja() -> str:
    return version("jinja2")
