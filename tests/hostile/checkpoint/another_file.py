"""A notebook under a checkpoint's name.

ends: bad
says: cannot be opened
"""

from pathlib import Path


def make(folder: Path) -> Path:
    path = folder / "minigpt.safetensors"
    path.write_text('{"cells": []}', encoding="utf-8")
    return path
