"""A whole module instead of its weights: opening it would run the class.

ends: bad
says: cannot be opened
"""

from pathlib import Path

import torch


def make(folder: Path) -> Path:
    path = folder / "minigpt.pt"
    torch.save(torch.nn.Linear(2, 2), path)
    return path
