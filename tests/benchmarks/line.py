"""What grading costs, in CPU seconds of the whole machine and in multiples of `import torch`, in one run.

    .venv/bin/python -m tests.benchmarks.line [ROUNDS]

Run it on an idle machine: it counts every busy tick, since the box's processes are not our children.
"""

import os
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

from graders.draw import Deck
from graders.exercise import load_assignment
from graders.grade import Grader
from graders.limits import Limits
from graders.sandbox import Box
from graders.wall.ladder import best

HANDED_IN = Path(__file__).parent.parent / "handed_in"
RIGHT = ("alice.ipynb", "benoit.py", "chloe")
WRONG = ("david.ipynb", "emma.ipynb")


def busy() -> float:
    """CPU seconds that all processes of this machine have used since it started."""
    fields = [
        int(field) for field in Path("/proc/stat").read_text(encoding="ascii").split("\n")[0].split()[1:]
    ]
    user, nice, system, _, _, interrupts, soft, *_ = fields
    return (user + nice + system + interrupts + soft) / os.sysconf("SC_CLK_TCK")


def cost(work: Callable[[], object], times: int = 1) -> tuple[float, float]:
    """CPU and wall seconds of one `work()`, over `times` of them."""
    cpu, wall = busy(), time.perf_counter()
    for _ in range(times):
        work()
    return (busy() - cpu) / times, (time.perf_counter() - wall) / times


def main(rounds: int) -> None:
    """Print a table: what, CPU seconds, wall seconds, multiples of `import torch`."""
    python = [sys.executable, "-c", "import torch"]
    unit, wall = cost(lambda: subprocess.run(python, check=True), rounds)
    show("import torch", unit, wall, unit)
    assignment, deck = load_assignment("attention"), Deck(1)
    show("draws and answers, once a run", *cost(lambda: deck.prepare(assignment.exercises)), unit)
    rung = best(Limits())[0].rung
    with Box(rung) as box:
        show("a warm box, once a process", *cost(lambda: box.fork().close()), unit)
        show("a fork", *cost(lambda: box.fork().close(), 20 * rounds), unit)
        grader = Grader(assignment, deck, box)
        for names, says in ((RIGHT, "a right submission"), (WRONG, "a wrong submission")):
            for name in names:
                spent = cost(lambda name=name: grader.grade(HANDED_IN / name, name), rounds)
                show(f"{says} ({name})", *spent, unit)


def show(what: str, cpu: float, wall: float, unit: float) -> None:
    """One line of the table."""
    print(f"{what:42} {cpu:8.3f} CPU s {wall:8.3f} s {cpu / max(unit, 1e-9):7.2f}")  # noqa: T201


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 3)
