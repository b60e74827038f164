"""What each wrong answer costs: CPU seconds of the host and of its boxes, in one warm process.

    .venv/bin/python -m tests.benchmarks.wrong_answers ASSIGNMENT [--every N] [--changed N] [NAME...]

Each known mistake of the assignment is handed in as a student would, in one file with right answers to all
other exercises; so are right answers to each exercise with one small change, which mostly no known mistake
explains; then a submission in which every exercise is wrong. Each is graded twice, with names and places, and
the second time counts: what a run computes once is no part of it. A line says the cost of host and boxes, and
what was found. At the end stand the median, and where the dearest tenth begins, as a multiple of it.

`--every` takes each Nth mistake of an exercise (0: none), `--changed` so many changes of it; with names, only
those count whose names contain one of them. `--profile FILE` writes what the host did in the second time.
"""

import argparse
import ast
import cProfile
import os
import random
import re
import statistics
import tempfile
import time
from collections.abc import Iterator, Mapping
from contextlib import nullcontext
from pathlib import Path

from graders.audit.names.mutate import draw_mutation
from graders.audit.styles.flatten_mistake import flatten_mistake, flatten_reference
from graders.course.exercise import Assignment, Exercise, load_assignment
from graders.course.right_answers import right_answers
from graders.grade import Grader
from graders.judging.draws import Draws
from graders.results.result import Result
from graders.sandbox.box import Box
from graders.sandbox.isolation.choose_level import best
from graders.sandbox.limits import Limits
from tests.benchmarks.line import spent
from tests.support.mixed_work import cells_of, usable_mistakes

SEED = 1


def submissions(
    assignment: Assignment, every: int, changed: int, names: list[str]
) -> Iterator[tuple[str, str]]:
    """A name and the text of a module for each wrong answer; at the end, where all exercises are wrong."""
    right, wrong = cells_of(assignment, {}), dict[str, str]()
    for exercise in assignment.exercises:
        if exercise.rule is None:
            others = {e.symbol for e in assignment.exercises} - {exercise.symbol}
            for name, tree in [*_known(assignment, exercise, every), *_changed(exercise, changed)]:
                if not names or any(part in name for part in names):
                    tree.body = [s for s in tree.body if getattr(s, "name", None) not in others]
                    cell = ast.unparse(tree)
                    wrong.setdefault(exercise.name, cell)
                    yield name, _module(right | {exercise.name: cell})
    if len(wrong) > 1:
        yield "each exercise", _module(right | wrong)


def _known(assignment: Assignment, exercise: Exercise, every: int) -> Iterator[tuple[str, ast.Module]]:
    for mistake in usable_mistakes(assignment, exercise)[:: every or 1] if every else ():
        tree = flatten_mistake(exercise.name, exercise.symbol, mistake)
        for node in ast.walk(tree):  # the docstring is the hint
            if isinstance(node, ast.ClassDef | ast.FunctionDef) and ast.get_docstring(node) is not None:
                node.body = node.body[1:] or [ast.Pass()]
        yield mistake, tree


def _changed(exercise: Exercise, count: int) -> Iterator[tuple[str, ast.Module]]:
    numbers = random.Random(SEED)
    with right_answers(exercise.name) as files:
        trees = [flatten_reference(exercise.name, exercise.symbol)]
        trees += [ast.parse(path.read_text(encoding="utf-8")) for path in files]
        for number in range(count):
            tree = trees[number % len(trees)]
            if mutation := draw_mutation(tree, numbers):
                yield f"{exercise.symbol} changed {number}, {mutation.kind}", mutation.apply(tree)


def _module(cells: Mapping[str, str]) -> str:
    return "\n\n\n".join(f"# %%\n{cell}" for cell in cells.values())


def measure(grader: Grader, path: Path, profile: Path | None) -> tuple[Result, list[float]]:
    """What grading it gives, and CPU seconds: of the host and of boxes the second time, of both the first."""
    _, first = _grade(grader, path)
    watching = cProfile.Profile() if profile else None
    with watching or nullcontext():
        result, second = _grade(grader, path)
    if watching and profile:
        watching.dump_stats(profile)
    return result, [*second, sum(first)]


def _grade(grader: Grader, path: Path) -> tuple[Result, tuple[float, float]]:
    host, all_of = time.process_time(), spent(os.getpid())
    result = grader.grade(path, path.stem)
    time.sleep(0.05)  # what was killed is gone then, and counted with its parent
    own = time.process_time() - host
    return result, (own, spent(os.getpid()) - all_of - own)


def describe(result: Result) -> str:
    """The mistakes that are named, and the lines that are told."""
    findings = [finding for exercise in result.exercises for finding in exercise.findings]
    named = {m.name for f in findings for several in f.mistakes for m in several}
    lines = {f"{r.place.within}:{r.place.line} {r.kind}" for f in findings for r in f.repairs}
    return f"{result.points:.2f} points; {', '.join(sorted(named))}; {', '.join(sorted(lines))}"


def main() -> None:
    """Print a line for each wrong answer, then the median and the dearest tenth."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("assignment")
    parser.add_argument("--every", type=int, default=1)
    parser.add_argument("--changed", type=int, default=0)
    parser.add_argument("--profile", type=Path)
    parser.add_argument("names", nargs="*")
    chosen = parser.parse_args()
    assignment, draws = load_assignment(chosen.assignment), Draws(SEED)
    tried, _ = best(Limits())
    tried.close()
    costs = []
    with Box(tried.level) as box, tempfile.TemporaryDirectory() as folder:
        grader = Grader(assignment, draws, box, finds_places=True, for_staff=True)
        for name, text in submissions(assignment, chosen.every, chosen.changed, chosen.names):
            path = Path(folder) / f"{re.sub(r'[^a-zA-Z0-9]', '_', name)}.py"
            path.write_text(text, encoding="utf-8")
            result, (host, of_box, first) = measure(grader, path, chosen.profile)
            costs.append(host + of_box)
            seconds = f"{host + of_box:6.2f} = {host:5.2f} + {of_box:5.2f} (first {first:5.2f})"
            print(f"{seconds}  {name}: {describe(result)}", flush=True)  # noqa: T201
    costs.sort()
    median, tenth = statistics.median(costs), costs[int(0.9 * len(costs))]
    print(  # noqa: T201
        f"{len(costs)} wrong answers: median {median:.2f} CPU s, dearest tenth from {tenth:.2f} "
        f"({tenth / median:.1f} times), dearest {costs[-1]:.2f} ({costs[-1] / median:.1f} times)"
    )


if __name__ == "__main__":
    main()
