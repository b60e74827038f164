"""A file larger than a checkpoint may be.

ends: bad
says: may have
"""

from pathlib import Path


def make(folder: Path) -> Path:
    path = folder / "minigpt.safetensors"
    with path.open("wb") as file:
        file.truncate(100 << 20)
    return path
