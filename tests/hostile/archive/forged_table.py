"""The table of contents says that it is four gigabytes long and begins before the file.

outcome: unreadable
says: broken zip
"""

import struct
from pathlib import Path

from tests.hostile.honest import RIGHT, packed


def make(folder: Path) -> Path:
    path = packed(folder, ("answers.py", RIGHT))
    data = bytearray(path.read_bytes())
    struct.pack_into("<HHLL", data, data.index(b"PK\x05\x06") + 8, 65_000, 65_000, 0xFFFFFFF0, 0xFFFFFFF0)
    path.write_bytes(bytes(data) + b"\x00" * 10_000_000)
    with path.open("ab") as file:
        file.write(bytes(data)[data.index(b"PK\x05\x06") :])
    return path
