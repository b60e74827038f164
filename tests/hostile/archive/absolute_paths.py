"""Members have a place of their own: on a drive, at the root, in a temporary folder.

outcome: unreadable
says: leads out of the archive
"""

import tempfile
from pathlib import Path

from tests.hostile.honest import RIGHT, packed


def make(folder: Path) -> Path:
    here = tempfile.gettempdir()
    odd = [f"{here}/up.py", "C:\\Windows\\up.py", "\\\\server\\share\\up.py", "//up.py"]
    return packed(folder, ("answers.py", RIGHT), *((name, "x = 1") for name in odd))
