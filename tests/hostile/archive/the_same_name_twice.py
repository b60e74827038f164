"""A member comes twice, with two contents: the last one counts, which a person sees.

outcome: passed
points: 2
says: answers.py is there twice
"""

from pathlib import Path

from tests.hostile.honest import RIGHT, packed


def make(folder: Path) -> Path:
    return packed(folder, ("answers.py", "def concat_heads(x):\n    return x\n"), ("answers.py", RIGHT))
