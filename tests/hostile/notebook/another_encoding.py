"""The notebook is UTF-16 with a mark at its start, as an editor may save it.

outcome: passed
points: 2
"""

from pathlib import Path

from tests.hostile.honest import RIGHT
from tests.support.notebooks import notebook


def make(folder: Path) -> Path:
    path = folder / "work.ipynb"
    path.write_bytes(notebook(RIGHT).decode().encode("utf-16"))
    return path
