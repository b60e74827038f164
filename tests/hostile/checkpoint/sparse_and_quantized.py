"""Sparse and quantized tensors where plain ones are due.

ends: bad
says: named tensors
"""

from pathlib import Path

import torch


def make(folder: Path) -> Path:
    path = folder / "minigpt.pt"
    torch.save({"w": torch.eye(2).to_sparse()}, path)
    return path
