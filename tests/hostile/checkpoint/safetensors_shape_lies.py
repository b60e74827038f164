"""A safetensors file that claims a shape larger than its bytes.

ends: bad
says: cannot be opened
"""

import json
import struct
from pathlib import Path


def make(folder: Path) -> Path:
    header = json.dumps({"w": {"dtype": "F32", "shape": [1 << 40], "data_offsets": [0, 16]}}).encode()
    path = folder / "minigpt.safetensors"
    path.write_bytes(struct.pack("<Q", len(header)) + header + b"\0" * 16)
    return path
