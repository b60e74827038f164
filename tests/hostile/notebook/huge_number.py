"""The format's version has a million digits.

outcome: unreadable
says: is not a notebook
"""

from pathlib import Path

from tests.hostile.honest import RIGHT
from tests.support.notebooks import notebook


def make(folder: Path) -> Path:
    path = folder / "work.ipynb"
    path.write_bytes(notebook(RIGHT).replace(b'"nbformat": 4', b'"nbformat": ' + b"4" * 1_000_000))
    return path
