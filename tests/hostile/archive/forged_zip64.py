"""The archive's long form says sizes and places of exabytes.

outcome: unreadable
says: broken zip
"""

import struct
from pathlib import Path

from tests.hostile.honest import RIGHT, packed

HUGE = (1 << 63) - 1


def make(folder: Path) -> Path:
    path = packed(folder, ("answers.py", RIGHT))
    data = path.read_bytes()
    at = data.index(b"PK\x05\x06")
    record = struct.pack("<4sQ2H2L4Q", b"PK\x06\x06", 44, 45, 45, 0, 0, HUGE, HUGE, HUGE, HUGE)
    locator = struct.pack("<4sLQL", b"PK\x06\x07", 0, at, 1)
    path.write_bytes(data[:at] + record + locator + data[at:])
    return path
