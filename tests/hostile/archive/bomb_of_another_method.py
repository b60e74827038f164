"""A bomb is packed by methods that unpack into memory of their own.

outcome: passed
points: 2
says: packed in a way that is not accepted
"""

import zipfile
from pathlib import Path

from tests.hostile.honest import RIGHT, packed


def make(folder: Path) -> Path:
    path = packed(folder, ("bomb.ipynb", b" " * 15_000_000), method=zipfile.ZIP_LZMA)
    with zipfile.ZipFile(path, "a", zipfile.ZIP_BZIP2) as made:
        made.writestr("bomb2.ipynb", b" " * 15_000_000)
        made.writestr("answers.py", RIGHT, zipfile.ZIP_STORED)
    return path
