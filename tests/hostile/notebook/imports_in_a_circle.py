"""Hundreds of modules import one another by stars and by names, and one from ten thousand packages.

outcome: passed
points: 2
says: a name of too many parts
"""

from pathlib import Path

from tests.hostile.honest import RIGHT, files


def make(folder: Path) -> Path:
    modules = []
    for number in range(200):
        stars = "".join(f"from m{(number * 7 + other) % 200} import *\n" for other in range(5))
        modules.append(
            (f"m{number}.py", f"{stars}import m{number + 1}\ndef f{number}(): return f{number + 1}()\n")
        )
    deep = "import a" + ".a" * 10_000 + "\n"
    answer = f"from m0 import f0\n{RIGHT}used = f0\n"
    return files(folder, [("answers.py", answer), ("deep.py", deep), *modules])
