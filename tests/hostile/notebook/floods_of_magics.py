"""Lines of commas, question marks and percent signs, each of which IPython reads over and over.

outcome: passed
points: 2
says: cell magics stand one under the other
"""

from pathlib import Path

from tests.hostile.honest import with_right


def make(folder: Path) -> Path:
    lines = ["," * 20_000, ";" * 20_000, "/" * 20_000, "%" * 20_000, "!" * 20_000, "?" * 20_000]
    asking = ["%a\n(" + "a.a" * 80_000 + " ?", "a" * 100_000 + "!?", "%a\n" + "a[1]." * 40_000 + "!?"]
    long = ["%a\n" * 700, "!" + "\\\n" * 100_000, "pip a\n" * 60 + "x" * 5_000, "In [1]: " * 50_000]
    towers = ["%%time\n" * 900 + "x = 1", "%%time\n" * 70_000]
    return with_right(folder, *lines, *asking, *long, *towers)
