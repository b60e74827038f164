"""The outputs weigh seventy megabytes.

outcome: passed
points: 2
"""

from pathlib import Path

from tests.hostile.honest import RIGHT
from tests.support.notebooks import notebook


def make(folder: Path) -> Path:
    path = folder / "work.ipynb"
    path.write_bytes(notebook(RIGHT).replace(b'"outputs": []', b'"outputs": ["' + b"x" * 70_000_000 + b'"]'))
    return path
