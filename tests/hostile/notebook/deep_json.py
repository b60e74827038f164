"""The metadata is nested a hundred thousand levels deep.

outcome: unreadable
says: not JSON
"""

from pathlib import Path

from tests.hostile.honest import RIGHT
from tests.support.notebooks import notebook


def make(folder: Path) -> Path:
    deep = b"[" * 100_000 + b"]" * 100_000
    path = folder / "work.ipynb"
    path.write_bytes(notebook(RIGHT).replace(b'"metadata": {}', b'"metadata": ' + deep))
    return path
