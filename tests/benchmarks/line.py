"""The cost of grading: CPU seconds of our processes, and their ratio to the unavoidable work of one run.

    .venv/bin/python -m tests.benchmarks.line [ROUNDS [EXERCISE...]]

`import torch` is the unit of the machine; "the same calls" are all checks on all draws against the reference
in this process, without a box and without Hypothesis. The least of the rounds counts.
"""

import os
import subprocess
import sys
import tempfile
import time
from collections import defaultdict
from collections.abc import Callable
from pathlib import Path

from graders.candidate.local_candidate import LocalCandidate
from graders.course.exercise import Assignment, load_assignment
from graders.course.reference import reference
from graders.grade import Grader
from graders.judging.draws import Draws
from graders.results.store import write_result
from graders.sandbox.box import Box
from graders.sandbox.isolation.choose_level import best
from graders.sandbox.limits import Limits
from reports import publish

HANDED_IN = Path(__file__).parent.parent / "handed_in/attention"
RIGHT = ("alice.ipynb", "benoit.py", "chloe")
WRONG = ("lucas.py", "manon.ipynb", "david.ipynb", "emma.ipynb")


def spent(process: int) -> float:
    """CPU seconds of a process, of its children and of theirs, with those of them that have ended."""
    seconds: dict[int, float] = {}
    children: dict[int, list[int]] = defaultdict(list)
    for path in Path("/proc").glob("[0-9]*/stat"):
        try:
            fields = path.read_text(encoding="utf-8", errors="replace").rpartition(")")[2].split()
        except OSError:  # it ended meanwhile
            continue
        seconds[int(path.parent.name)] = sum(map(int, fields[11:15])) / os.sysconf("SC_CLK_TCK")
        children[int(fields[1])].append(int(path.parent.name))

    def all_of(pid: int) -> float:
        return seconds.get(pid, 0.0) + sum(map(all_of, children[pid]))

    return all_of(process)


def cost(work: Callable[[], object], rounds: int = 1) -> tuple[float, float]:
    """The least CPU seconds that `work()` took, and the seconds of the clock."""
    times = []
    for _ in range(rounds):
        cpu, clock = spent(os.getpid()), time.perf_counter()
        work()
        time.sleep(0.1)  # what was killed is gone then, and counted with its parent
        times.append((spent(os.getpid()) - cpu, time.perf_counter() - clock))
    return min(times)


def same_calls(assignment: Assignment, draws: Draws) -> None:
    """Every check on every draw, on our own answers, in this process."""
    for exercise in assignment.exercises:
        answer = reference(exercise.name, exercise.symbol)
        for check in exercise.checks:
            candidate = LocalCandidate(answer)
            for example in draws.for_check(exercise, check):
                check.judge(candidate, example.draw, *example.answer)


def main(rounds: int, exercises: list[str]) -> None:
    """Print a table: what, CPU seconds, seconds, multiples of `import torch` and of the same calls."""
    python = [sys.executable, "-c", "import torch"]
    assignment, draws = load_assignment("attention").only(exercises), Draws(1)
    units = [cost(lambda: subprocess.run(python, check=True), rounds)[0]]
    show("import torch", (units[0], 0), units)
    show("draws and answers, once a run", cost(lambda: draws.prepare(assignment.exercises)), units)
    same_calls(assignment, draws)
    units.append(cost(lambda: same_calls(assignment, draws), rounds)[0])
    counts = [len(draws.for_check(e, check)) for e in assignment.exercises for check in e.checks]
    show(f"the same calls: {len(counts)} checks, {sum(counts)} draws", (units[1], 0), units)
    tried, _ = best(Limits())
    tried.close()
    with Box(tried.level) as box, tempfile.TemporaryDirectory() as folder:
        show("a warm box, once a process", cost(lambda: box.fork().close()), units)
        show("a fork", cost(lambda: box.fork().close(), 5 * rounds), units)
        grader = Grader(assignment, draws, box)

        def graded(name: str) -> None:
            result = grader.grade(HANDED_IN / name, name)
            write_result(Path(folder), result)
            publish.publish_one(Path(folder), result)

        for name in (*RIGHT, *WRONG):
            once = cost(lambda name=name: graded(name))
            show(f"{'right' if name in RIGHT else 'wrong'}, the first time ({name})", once, units)
            show("  and then, with its page", cost(lambda name=name: graded(name), rounds), units)


def show(label: str, times: tuple[float, float], units: list[float]) -> None:
    """One line of the table."""
    ratios = " ".join(f"{times[0] / max(unit, 1e-9):7.2f}" for unit in units)
    print(f"{label:46} {times[0]:8.3f} CPU s {times[1]:8.3f} s {ratios}")  # noqa: T201


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 5, sys.argv[2:])
