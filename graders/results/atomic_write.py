"""Write files atomically: a file is complete or absent, whenever a run is killed."""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO

PART = ".part"  # how the name of a file ends while it is written


def write_atomically(path: Path, data: bytes, *, durable: bool = False) -> None:
    """Write a file so that its name always has either the whole new content or the old one.

    Args:
        path: the file; its folder exists.
        data: its new content.
        durable: wait until the data is on disk, so that it survives a power cut. Some file systems
            report only then that they are full.
    """
    with open_atomically(path) as file:
        file.write(data)
        if durable:
            file.flush()
            os.fsync(file.fileno())


@contextmanager
def open_atomically(path: Path) -> Iterator[BinaryIO]:
    """The same for a file that is written piece by piece: it has its name once the `with` block ends well."""
    with replace_atomically(path) as part, part.open("wb") as file:
        yield file


@contextmanager
def replace_atomically(path: Path) -> Iterator[Path]:
    """The same for a file that a library writes: to the yielded path, which becomes `path` at the end."""
    part = part_of(path)
    try:
        yield part
        part.replace(path)
    except BaseException:
        part.unlink(missing_ok=True)
        raise


def part_of(path: Path) -> Path:
    """The name that a file has in this process until it is complete."""
    return path.with_name(f".{path.name}.{os.getpid()}{PART}")


def sweep(out: Path) -> None:
    """Remove the unfinished files that killed runs have left in `out` and the folders in it."""
    for pattern in (f".*{PART}", f"*/.*{PART}"):
        for part in out.glob(pattern):
            part.unlink(missing_ok=True)
