"""Two tensors of a safetensors file over the same bytes.

ends: bad
says: cannot be opened
"""

import json
import struct
from pathlib import Path


def make(folder: Path) -> Path:
    tensor = {"dtype": "F32", "shape": [4], "data_offsets": [0, 16]}
    header = json.dumps({"a": tensor, "b": tensor}).encode()
    path = folder / "minigpt.safetensors"
    path.write_bytes(struct.pack("<Q", len(header)) + header + b"\0" * 16)
    return path
