"""Two members have the same name, its accent written in two ways, and a third one differs in a dot.

outcome: passed
points: 2
says: on some computers
"""

from pathlib import Path

from tests.hostile.honest import RIGHT, packed

WRONG = "def concat_heads(x):\n    return x\n"


def make(folder: Path) -> Path:
    names = ["e\u0301te\u0301/a.py", "\xe9t\xe9/a.py", "\xe9t\xe9. /a.py"]
    return packed(folder, (names[0], RIGHT), (names[1], WRONG), (names[2], WRONG))
