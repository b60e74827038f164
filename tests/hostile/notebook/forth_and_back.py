"""What is needed lies by turns in two cells as long as a cell may be.

outcome: raised
says: too many places
"""

from pathlib import Path

from tests.support.notebooks import notebook


def make(folder: Path) -> Path:
    padding = "#" + "x" * 400_000 + "\n"
    first = "\n".join(f"def f{n}(): return g{n}()\nv{n} = f{n}()" for n in range(200))
    second = "\n".join(f"def g{n}(): return w{n - 1}\nw{n} = v{n}" for n in range(200))
    answer = "def concat_heads(x):\n    return w199"
    (folder / "work.ipynb").write_bytes(notebook(padding + first, padding + second, answer))
    return folder / "work.ipynb"
