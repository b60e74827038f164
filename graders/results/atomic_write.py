"""Files written whole or not at all: what lies under a name is complete, whenever a run is killed."""

import os
from pathlib import Path

PART = ".part"  # how the name of a file ends while it is written


def write_atomically(path: Path, data: bytes, *, durable: bool = False) -> None:
    """Write a file so that under its name there is the whole of it or what was there before.

    Args:
        path: the file; its folder is there.
        data: what shall stand in it.
        durable: wait until the disk has it, so that it outlives a power cut. Some file systems say only
            then that they are full.
    """
    part = path.with_name(f".{path.name}.{os.getpid()}{PART}")
    try:
        with part.open("wb") as file:
            file.write(data)
            if durable:
                file.flush()
                os.fsync(file.fileno())
        part.replace(path)
    finally:
        part.unlink(missing_ok=True)


def sweep(out: Path) -> None:
    """Remove what runs that were killed have left half written in `out` and the folders in it."""
    for pattern in (f".*{PART}", f"*/.*{PART}"):
        for part in out.glob(pattern):
            part.unlink(missing_ok=True)
