"""Two thousand entries of the table of contents share the bytes of one member, which is damaged.

outcome: unreadable
says: damaged inside the archive
"""

import random
import struct
from pathlib import Path

from tests.hostile.honest import packed


def make(folder: Path) -> Path:
    noise = random.Random(1).randbytes(100_000)
    path = packed(folder, ("bomb.ipynb", noise * 190))
    data = path.read_bytes()
    at = data.index(b"PK\x01\x02")
    end = data.index(b"PK\x05\x06")
    entry = bytearray(data[at:end])
    struct.pack_into("<L", entry, 16, 1)  # a wrong checksum, which shows only when all has been unpacked
    table = bytes(entry) * 2_000
    tail = struct.pack("<4s4H2LH", b"PK\x05\x06", 0, 0, 2_000, 2_000, len(table), at, 0)
    path.write_bytes(data[:at] + table + tail)
    return path
