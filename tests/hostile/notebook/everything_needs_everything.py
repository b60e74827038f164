"""Thousands of loops bind and change the same names, and the answer needs them all.

outcome: unreadable
says: takes too
seconds: 0.3
"""

from pathlib import Path

from tests.support.notebooks import notebook


def make(folder: Path) -> Path:
    loops = "for i in x:\n    a = b\n    b = a\n    a.f(b)\n" * 400
    path = folder / "work.ipynb"
    path.write_bytes(notebook(*[loops] * 11, "def concat_heads(x):\n    return a or x"))
    return path
