"""A safetensors file whose shape overflows every integer.

ends: bad
says: cannot be opened
"""

import json
import struct
from pathlib import Path


def make(folder: Path) -> Path:
    header = json.dumps({"w": {"dtype": "F32", "shape": [1 << 62, 4], "data_offsets": [0, 16]}}).encode()
    path = folder / "minigpt.safetensors"
    path.write_bytes(struct.pack("<Q", len(header)) + header + b"\0" * 16)
    return path
