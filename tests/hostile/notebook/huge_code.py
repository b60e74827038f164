"""The cells weigh thirty megabytes, without any output.

outcome: unreadable
says: without its outputs
"""

from pathlib import Path

from tests.hostile.honest import RIGHT
from tests.support.notebooks import notebook


def make(folder: Path) -> Path:
    path = folder / "work.ipynb"
    path.write_bytes(notebook(RIGHT, "#" + "x" * 30_000_000))
    return path
