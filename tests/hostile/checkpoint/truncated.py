"""A checkpoint cut off in the middle.

ends: bad
says: cannot be opened
"""

from pathlib import Path

import torch


def make(folder: Path) -> Path:
    path = folder / "minigpt.pt"
    torch.save({"weight": torch.ones(100)}, path)
    path.write_bytes(path.read_bytes()[:300])
    return path
