"""Tens of thousands of statements of two letters.

outcome: passed
points: 2
says: too much code
"""

from pathlib import Path

from tests.hostile.honest import with_right


def make(folder: Path) -> Path:
    return with_right(folder, "x;" * 40_000, "x\n" * 30_000, "x\n" * 3_000)
