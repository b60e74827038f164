"""A member's path climbs out of the archive.

outcome: unreadable
says: leads out of the archive
"""

from pathlib import Path

from tests.hostile.honest import RIGHT, packed


def make(folder: Path) -> Path:
    return packed(folder, ("answers.py", RIGHT), ("../up.py", "x = 1"), ("a/b/../../../up.py", "x = 1"))
