"""A member comes twice, with two contents: a person would see the other one.

outcome: passed
points: 2
says: answers.py is there twice
"""

from pathlib import Path

from tests.hostile.honest import RIGHT, packed


def make(folder: Path) -> Path:
    return packed(folder, ("answers.py", RIGHT), ("answers.py", "def concat_heads(x):\n    return x\n"))
