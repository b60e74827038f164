"""A safetensors file whose header claims to be exabytes long.

ends: bad
says: cannot be opened
"""

import struct
from pathlib import Path


def make(folder: Path) -> Path:
    path = folder / "minigpt.safetensors"
    path.write_bytes(struct.pack("<Q", 1 << 60) + b"{}")
    return path
