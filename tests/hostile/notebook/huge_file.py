"""The file is a notebook, and three hundred megabytes of nothing after it.

outcome: unreadable
says: clear the outputs
"""

from pathlib import Path

from tests.hostile.honest import RIGHT
from tests.support.notebooks import notebook


def make(folder: Path) -> Path:
    path = folder / "work.ipynb"
    with path.open("wb") as file:
        file.write(notebook(RIGHT))
        file.truncate(300_000_000)
    return path
