"""Parts of answer keys that were made before, kept by what they were made from.

An exercise's part of a key follows from softmark's own code, the solutions, the seed, and the versions of
Python and of the packages that compute. As long as these are the same, it is read and not made again.
"""

import contextlib
import hashlib
import io
import json
import sys
import zipfile
from functools import cache
from importlib.metadata import version
from pathlib import Path

from graders import locations
from graders.answer_key.answer_key import Packed
from graders.course import reference
from graders.course.exercise import Exercise
from graders.handout.make_key import pack_exercise
from graders.results.atomic_write import write_atomically

COMPUTING = ("torch", "hypothesis", "safetensors")  # packages on which a key depends
MOST = 60  # files that are kept; the oldest go first


def pack_or_read(exercise: Exercise, seed: int, hints: bool, symbols: frozenset[str]) -> Packed:
    """The parts of an exercise's key: those kept from before, else those that are made now.

    Raises:
        Refused: as `pack_exercise`.
    """
    name = f"{exercise.name}-{_digest(repr((seed, hints, sorted(symbols))))}.zip"
    path = locations.cache_folder() / "keys" / name
    with contextlib.suppress(OSError, zipfile.BadZipFile):
        with zipfile.ZipFile(path) as read:
            files = {inside: read.read(inside) for inside in read.namelist()}
        path.touch()
        return files
    files = dict(pack_exercise(exercise, seed, hints, symbols))
    with contextlib.suppress(OSError):  # a folder that cannot be written costs time, no more
        _write(path, files)
    return files


def _write(path: Path, files: Packed) -> None:
    path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as written:
        for inside, data in files.items():
            written.writestr(inside, data)
    write_atomically(path, buffer.getvalue())
    oldest_first = sorted(path.parent.glob("*.zip"), key=lambda file: file.stat().st_mtime)
    for old in oldest_first[:-MOST]:
        old.unlink(missing_ok=True)


def _digest(facts: str) -> str:
    return hashlib.sha256(f"{_code()} {facts}".encode()).hexdigest()[:32]


@cache
def _code() -> str:
    """A digest of the code and of the versions that make a key."""
    files = sorted(locations.GRADERS.rglob("*.py"))
    texts = {path.relative_to(locations.ROOT).as_posix(): path.read_text("utf-8") for path in files}
    versions = {package: version(package) for package in COMPUTING}
    listed = json.dumps([sys.version, versions, texts, reference.texts()], sort_keys=True)
    return hashlib.sha256(listed.encode()).hexdigest()
