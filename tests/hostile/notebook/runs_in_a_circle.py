"""Notebooks run one another by %run, each all others and itself.

outcome: passed
points: 2
"""

from pathlib import Path

from tests.hostile.honest import RIGHT, files
from tests.support.notebooks import notebook


def make(folder: Path) -> Path:
    circle = "\n".join(f"%run n{number}.ipynb" for number in range(12))
    others = [(f"n{number}.ipynb", notebook("x = 1", circle)) for number in range(12)]
    return files(folder, [("work.ipynb", notebook(RIGHT, "%run work.ipynb")), *others])
