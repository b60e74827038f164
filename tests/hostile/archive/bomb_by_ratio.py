"""A small archive holds gigabytes of spaces.

outcome: passed
points: 2
says: packed in a way that is not accepted
"""

from pathlib import Path

from tests.hostile.honest import RIGHT, packed


def make(folder: Path) -> Path:
    spaces = b" " * 15_000_000
    return packed(folder, ("answers.py", RIGHT), *((f"bomb{number}.ipynb", spaces) for number in range(5)))
