"""A pickle that starts a program when it is opened.

ends: bad
says: cannot be opened
"""

import os
from pathlib import Path

import torch


class Trap:
    def __reduce__(self):
        return os.system, ("touch /tmp/softmark-was-here",)


def make(folder: Path) -> Path:
    path = folder / "minigpt.pt"
    torch.save({"weight": Trap()}, path)
    return path
