"""A path that climbs out once its control characters are gone.

outcome: unreadable
says: leads out of the archive
"""

from pathlib import Path

from tests.hostile.honest import RIGHT, packed


def make(folder: Path) -> Path:
    return packed(folder, ("answers.py", RIGHT), (".\u202e.\\\x1b[31mup.py", "x = 1"))
