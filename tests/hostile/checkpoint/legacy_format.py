"""A pickle in the format before archives, with a trap in it.

ends: bad
says: cannot be opened
"""

from pathlib import Path

import torch


class Trap:
    def __reduce__(self):
        return print, ("unwanted",)


def make(folder: Path) -> Path:
    path = folder / "minigpt.pt"
    torch.save({"weight": Trap()}, path, _use_new_zipfile_serialization=False)
    return path
