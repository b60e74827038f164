"""A tensor that claims a giant shape over a few bytes.

ends: bad or lost
says:
"""

from pathlib import Path

import torch


def make(folder: Path) -> Path:
    path = folder / "minigpt.pt"
    torch.save({"weight": torch.zeros(1).expand(1 << 20, 1 << 20)}, path)
    return path
