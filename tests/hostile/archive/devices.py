"""Members say that they are devices, pipes and sockets.

outcome: passed
points: 2
says: is a link, not a file
"""

import stat
import zipfile
from pathlib import Path

from tests.hostile.honest import RIGHT, packed


def make(folder: Path) -> Path:
    kinds = (stat.S_IFBLK, stat.S_IFCHR, stat.S_IFIFO, stat.S_IFSOCK)
    odd = [zipfile.ZipInfo(f"device{number}.py") for number, _ in enumerate(kinds)]
    for info, kind in zip(odd, kinds, strict=True):
        info.external_attr = (kind | 0o666) << 16
    return packed(folder, ("answers.py", RIGHT), *((info, "") for info in odd))
