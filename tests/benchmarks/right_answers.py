"""What right answers cost: CPU seconds of the host and of its boxes, in one warm process.

    .venv/bin/python -m tests.benchmarks.right_answers [--rounds N] [--exercises] ASSIGNMENT...

A right answer to each exercise of an assignment, in the course's own style where there is one, is handed in
as one file of cells and graded several times; the least of the rounds counts: what a run computes once
is no part of it. The assignments take turns, so that whatever else the machine does falls on each. The last
column is the ratio to the first assignment. With `--exercises` each exercise is graded alone too: each has a
process of its own then.
"""

import argparse
import tempfile
import time
from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import dataclass, field
from os import getpid
from pathlib import Path

from graders.course.exercise import Assignment, load_assignment
from graders.course.right_answers import right_answers
from graders.grade import Grader
from graders.judging.draws import Draws
from graders.sandbox.box import Box
from graders.sandbox.isolation.choose_level import best
from graders.sandbox.limits import Limits
from tests.benchmarks.line import spent

SEED = 1


@dataclass
class Work:
    """A submission that is graded again and again: what the host and the boxes took each time."""

    name: str
    grader: Grader
    path: Path
    costs: list[tuple[float, float]] = field(default_factory=list)

    def grade(self) -> None:
        """Grade it once more."""
        host, all_of = time.process_time(), spent(getpid())
        result = self.grader.grade(self.path, "right")
        time.sleep(0.05)  # what was killed is gone then, and counted with its parent
        own = time.process_time() - host
        self.costs.append((own, spent(getpid()) - all_of - own))
        if result.points < result.max_points:
            raise SystemExit(f"{self.name}: {result.points} of {result.max_points} points")

    @property
    def least(self) -> tuple[float, float]:
        """The least that the host took, and the least that the boxes took."""
        host, box = zip(*self.costs[1:], strict=True)
        return min(host), min(box)


def cells_of(assignment: Assignment) -> Iterator[str]:
    """A right answer to each exercise."""
    for exercise in assignment.exercises:
        with right_answers(exercise.name) as files:
            yield next((file for file in files if file.stem == "course"), files[0]).read_text("utf-8")


def works(names: list[str], box: Box, folder: Path, *, by_exercise: bool) -> Iterator[Work]:
    """The submissions, with what grades them."""
    for name in names:
        assignment = load_assignment(name)
        assignment = assignment.only([e.name for e in assignment.exercises if e.rule is None])
        path = folder / f"{name}.py"
        path.write_text("\n\n\n".join(f"# %%\n{cell}" for cell in cells_of(assignment)))
        grader = Grader(assignment, Draws(SEED), box)
        yield Work(name, grader, path)
        if by_exercise:
            for exercise in assignment.exercises:
                yield Work(f"  {exercise.name}", grader.only((exercise.name,)), path)


def main() -> None:
    """Print a line for each assignment or exercise."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("assignments", nargs="+")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--exercises", action="store_true")
    chosen = parser.parse_args()
    tried, _ = best(Limits())
    tried.close()
    with ExitStack() as open_now:
        box = open_now.enter_context(Box(tried.level))
        folder = Path(open_now.enter_context(tempfile.TemporaryDirectory()))
        tried_works = [*works(chosen.assignments, box, folder, by_exercise=chosen.exercises)]
        for _ in range(1 + chosen.rounds):  # the first time draws and answers are made
            for work in tried_works:
                work.grade()
    unit = sum(tried_works[0].least)
    print(f"{'':34} {'host':>6} + {'boxes':>6} = CPU s, ratio")  # noqa: T201
    for work in tried_works:
        host, of_box = work.least
        both = host + of_box
        print(f"{work.name:34} {host:6.3f} + {of_box:6.3f} = {both:6.3f} {both / unit:6.2f}")  # noqa: T201


if __name__ == "__main__":
    main()
