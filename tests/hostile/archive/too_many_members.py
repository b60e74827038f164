"""An archive of thousands of empty files.

outcome: unreadable
says: holds more than 2000 files
"""

from pathlib import Path

from tests.hostile.honest import RIGHT, packed


def make(folder: Path) -> Path:
    return packed(folder, ("answers.py", RIGHT), *((f"{number}", b"") for number in range(4_000)))
