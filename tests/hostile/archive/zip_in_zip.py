"""Archives inside archives, ten deep, with the answer at the bottom.

outcome: unreadable
says: There is no notebook
"""

from pathlib import Path

from tests.hostile.honest import RIGHT, packed


def make(folder: Path) -> Path:
    path = packed(folder, ("answers.py", RIGHT))
    for _ in range(10):
        path = packed(folder, *((f"{number}.zip", path.read_bytes()) for number in range(2)))
    return path
