"""The archive says that it is locked with a password.

outcome: unreadable
says: Make it again without one
"""

from pathlib import Path

from tests.hostile.honest import RIGHT, packed


def make(folder: Path) -> Path:
    path = packed(folder, ("answers.py", RIGHT), ("b.py", "x = 1"))
    data = bytearray(path.read_bytes())
    for mark, flags in ((b"PK\x03\x04", 6), (b"PK\x01\x02", 8)):
        data[data.index(mark) + flags] |= 1
    path.write_bytes(bytes(data))
    return path
