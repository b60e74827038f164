"""A page contains a digest of its inputs, so that it is only rendered again when they change."""

import functools
import hashlib
import os
import re
from pathlib import Path

from graders.language import current_language
from graders.locations import CATALOGUES
from graders.results.read_below import open_below

HEAD, TAIL = 400, 16  # bytes at the start and the end of a page that are read
_DIGEST = re.compile(rb'<meta name="made-from" content="([0-9a-f]+)">')


def digest_of(*parts: object) -> str:
    """A digest of a page's inputs, of its language, and of the code and templates of reports."""
    return hashlib.sha256(
        repr((*parts, current_language(), _digest_of_code())).encode("utf-8", "surrogatepass")
    ).hexdigest()


def is_fresh(path: Path, digest: str) -> bool:
    """Whether a complete page exists and contains this digest."""
    try:
        with open_below(path.parent, path.name) as file:
            head = file.read(HEAD)
            file.seek(max(0, os.fstat(file.fileno()).st_size - TAIL))
            return is_made_from(head, file.read(), digest)
    except OSError:
        return False


def is_made_from(head: bytes, tail: bytes, digest: str) -> bool:
    """Whether a page that begins and ends so is complete and contains this digest."""
    match = _DIGEST.search(head[:HEAD])
    return match is not None and match[1].decode() == digest and tail.endswith(b"</html>\n")


@functools.cache
def _digest_of_code() -> str:
    digest = hashlib.sha256()
    for path in sorted([*Path(__file__).parents[1].rglob("*"), *CATALOGUES.rglob("*")]):
        if path.suffix in {".py", ".j2", ".css", ".js", ".mo"}:
            digest.update(path.read_bytes())
    return digest.hexdigest()
