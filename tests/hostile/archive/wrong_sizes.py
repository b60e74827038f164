"""The table of contents lies about the sizes of members, up and down.

outcome: passed
points: 2
says: damaged inside the archive
"""

import struct
from pathlib import Path

from tests.hostile.honest import RIGHT, packed


def make(folder: Path) -> Path:
    path = packed(folder, ("answers.py", RIGHT), ("less.ipynb", "x" * 9_000), ("more.ipynb", "y" * 9_000))
    data = bytearray(path.read_bytes())
    table = data.index(b"PK\x01\x02")
    for name, size in ((b"less.ipynb", 10), (b"more.ipynb", 900_000)):
        struct.pack_into("<L", data, data.index(name, table) - 46 + 24, size)
    path.write_bytes(bytes(data))
    return path
