"""The upload broke off in the middle.

outcome: unreadable
says: broken zip
"""

from pathlib import Path

from tests.hostile.honest import RIGHT, packed


def make(folder: Path) -> Path:
    path = packed(folder, ("answers.py", RIGHT), ("b.py", "x = 1"))
    data = path.read_bytes()
    path.write_bytes(data[: len(data) // 2])
    return path
