"""Cells hold null bytes, half characters, form feeds and every other control character.

outcome: passed
points: 2
says: is not valid Python
"""

from pathlib import Path

from tests.hostile.honest import with_right


def make(folder: Path) -> Path:
    controls = "".join(map(chr, range(32)))
    return with_right(folder, "x = 1\x00", "\udfff = 1", f"x = '{controls}'", f"# {controls}\x85\u2028y = 1")
