"""Cells write modules over one another, outside of the folder, and under endless names.

outcome: passed
points: 2
"""

from pathlib import Path

from tests.hostile.honest import with_right


def make(folder: Path) -> Path:
    odd = [
        "../../../up.py",
        "/etc/up.py",
        "~/up.py",
        "a/" * 100_000 + "m.py",
        "'" * 100_000 + "m.py",
        "m\x00.py",
    ]
    chain = [f"%%writefile m{n}.py\nfrom m{n + 1} import *\nx{n} = 1" for n in range(500)]
    return with_right(folder, *(f"%%writefile {name}\nx = 1" for name in odd), *chain, "from m0 import *")
