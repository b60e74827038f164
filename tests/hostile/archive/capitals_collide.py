"""Two members differ in their capitals alone; one holds another answer.

outcome: passed
points: 2
says: has the same name as Answers.py on some computers
"""

from pathlib import Path

from tests.hostile.honest import RIGHT, packed


def make(folder: Path) -> Path:
    return packed(folder, ("answers.py", "def concat_heads(x):\n    return x\n"), ("Answers.py", RIGHT))
