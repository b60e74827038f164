"""Numbers of a hundred thousand digits, and data of hundreds of thousands of numbers.

outcome: passed
points: 2
says: is not valid Python
"""

from pathlib import Path

from tests.hostile.honest import with_right


def make(folder: Path) -> Path:
    data = "[" + "1," * 100_000 + "]"
    return with_right(
        folder, "x = " + "1" * 400_000, "x = 0x" + "f" * 400_000, f"x = {data}", "x = " + "1" * 10**7
    )
