"""A pickle that evaluates Python when it is opened.

ends: bad
says: cannot be opened
"""

from pathlib import Path

import torch


class Trap:
    def __reduce__(self):
        return eval, ("__import__('os')._exit(0)",)


def make(folder: Path) -> Path:
    path = folder / "minigpt.pth"
    torch.save({"weight": Trap()}, path)
    return path
