"""A tensor of a kind that does not cross.

ends: bad
says: named tensors
"""

from pathlib import Path

import torch
from safetensors.torch import save_file


def make(folder: Path) -> Path:
    path = folder / "minigpt.safetensors"
    save_file({"w": torch.ones(2, dtype=torch.complex64)}, path)
    return path
