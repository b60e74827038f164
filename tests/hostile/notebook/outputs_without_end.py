"""The outputs are sixty megabytes of quotation marks, and never end.

outcome: unreadable
says: not JSON
"""

from pathlib import Path

from tests.hostile.honest import RIGHT
from tests.support.notebooks import notebook


def make(folder: Path) -> Path:
    path = folder / "work.ipynb"
    before, outputs, _ = notebook(RIGHT).partition(b'"outputs": [')
    path.write_bytes(before + outputs + b'"' + b'\\"' * 30_000_000)
    return path
