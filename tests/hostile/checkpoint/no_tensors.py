"""A dictionary of numbers instead of tensors.

ends: bad
says: named tensors
"""

from pathlib import Path

import torch


def make(folder: Path) -> Path:
    path = folder / "minigpt.pt"
    torch.save({"w": 1.0, "state_dict": 3}, path)
    return path
