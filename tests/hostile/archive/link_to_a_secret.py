"""A member is a link to a file of the grader's, and another one goes through it.

outcome: passed
points: 2
says: is a link, not a file
"""

import zipfile
from pathlib import Path

from tests.hostile.honest import RIGHT, packed


def make(folder: Path) -> Path:
    link = zipfile.ZipInfo("solution.py")
    link.external_attr = 0o120777 << 16
    return packed(folder, ("answers.py", RIGHT), (link, "/etc/passwd"), ("solution.py/x.py", "x = 1"))
