"""The outputs are millions of lists, each inside the one before.

outcome: unreadable
says: takes too long
seconds: 0.3
"""

from pathlib import Path

from tests.hostile.honest import RIGHT
from tests.support.notebooks import notebook


def make(folder: Path) -> Path:
    deep = b"[" * 15_000_000 + b"]" * 15_000_000
    path = folder / "work.ipynb"
    path.write_bytes(notebook(RIGHT).replace(b'"outputs": []', b'"outputs": ' + deep))
    return path
