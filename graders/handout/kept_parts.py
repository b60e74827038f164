"""Parts of answer keys that were made before, kept by what they were made from.

A piece of a key follows from softmark's own code, the solutions, the seed, and the versions of
Python and of the packages that compute. As long as these are the same, it is read and not made again.
"""

import contextlib
import hashlib
import io
import json
import sys
import zipfile
from collections.abc import Iterator, Sequence
from functools import cache
from importlib.metadata import version
from pathlib import Path

import torch

from graders import locations
from graders.answer_key.answer_key import Packed
from graders.batch.process_pool import WorkerDied, spread
from graders.course import reference
from graders.handout.make_key import Piece, pack_piece
from graders.results.atomic_write import write_atomically

COMPUTING = ("torch", "hypothesis", "safetensors")  # packages on which a key depends
MOST = 120  # files that are kept; the oldest go first


def pack_or_read(
    pieces: Sequence[Piece], seed: int, hints: bool, symbols: frozenset[str], jobs: int = 1
) -> Iterator[tuple[int, Packed]]:
    """The number of each piece of a key with its parts: those kept from before, then those made now.

    Args:
        pieces: the pieces.
        seed: that of the draws.
        hints: whether mistakes and hints go into it.
        symbols: those of the assignment.
        jobs: how many processes make pieces at most.

    Raises:
        Refused: as `pack_piece`.
    """
    missing: list[int] = []
    for number, piece in enumerate(pieces):
        if files := _read(_place(piece, seed, hints, symbols)):
            yield number, files
        else:
            missing.append(number)

    def make(number: int) -> Packed:
        files = dict(pack_piece(pieces[number], seed, hints, symbols))
        with contextlib.suppress(OSError):  # a folder that cannot be written costs time, no more
            _write(_place(pieces[number], seed, hints, symbols), files)
        return files

    if jobs == 1 or len(missing) == 1:
        yield from ((number, make(number)) for number in missing)
        return
    torch.set_num_threads(1)  # a process that has used several threads cannot be forked safely
    # Wholes come last in an assignment, and take longest.
    for number, part in spread(missing[::-1], make, jobs):
        yield number, make(number) if isinstance(part, WorkerDied) else part


def _place(piece: Piece, seed: int, hints: bool, symbols: frozenset[str]) -> Path:
    exercise, sizes = piece
    name = "+".join((exercise.name, *(size.argument for size in sizes)))
    return locations.cache_folder() / "keys" / f"{name}-{_digest(repr((seed, hints, sorted(symbols))))}.zip"


def _read(path: Path) -> Packed | None:
    with contextlib.suppress(OSError, zipfile.BadZipFile):
        with zipfile.ZipFile(path) as read:
            files = {inside: read.read(inside) for inside in read.namelist()}
        path.touch()
        return files
    return None


def _write(path: Path, files: Packed) -> None:
    path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        for inside, data in files.items():
            archive.writestr(inside, data)
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
