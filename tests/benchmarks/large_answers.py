"""What answers of 60 MB cost the host in memory: the most that it takes beyond what it had, in answers.

    .venv/bin/python -m tests.benchmarks.large_answers [EXERCISE...]

Each exercise's symbol answers with tensors of that size: in another shape, with the right sizes before one
that is wrong, and a hundred tensors in one answer; the dtypes are those that grow most when they are computed
with. An exercise takes one to five minutes.
"""

import sys
import tempfile
from collections.abc import Iterator
from functools import partial
from pathlib import Path

from graders.course.exercise import Exercise, assignment_names, load_assignment
from graders.grade import Grader
from graders.judging.draws import Draws
from graders.sandbox.isolation.choose_level import best
from graders.sandbox.limits import Limits
from tests.support.memory import added_by

ANSWER = 60 << 20  # bytes
ANSWERS = {
    "one axis": "torch.ones({size}, dtype=torch.uint8)",
    "rows of the input": "torch.ones(*given.shape, {size} // max(1, given.numel()), dtype=torch.bool)",
    "a hundred": "[torch.ones({size} // 200, dtype=torch.float16) for _ in range(100)]",
}
FUNCTION = """
import torch

def {symbol}(*args, **kwargs):
    given = next((a for a in args if isinstance(a, torch.Tensor)), torch.ones(1))
    return {answer}
"""
MODULE = """
import torch
from torch import nn

class {symbol}(nn.Module):
    def __init__(self, *args, **kwargs):
        super().__init__()
        self.weight = nn.Parameter(torch.ones(3))

    def forward(self, *args, **kwargs):
        given = next((a for a in args if isinstance(a, torch.Tensor)), torch.ones(1))
        return {answer}
"""


def main(names: list[str]) -> None:
    """Print a line for each exercise and answer."""
    assignments = {e.name: a for a in map(load_assignment, assignment_names()) for e in a.exercises}
    with best(Limits())[0] as box, tempfile.TemporaryDirectory() as folder:
        for name, whole in assignments.items():
            assignment, draws = whole.only([name]), Draws(1)
            [exercise] = assignment.exercises
            if exercise.rule is not None or (names and name not in names):
                continue
            draws.prepare([exercise])
            for kind, code in submissions(exercise, ANSWER):
                path = Path(folder) / "handed_in.py"
                path.write_text(code, encoding="utf-8")
                added = added_by(partial(Grader(assignment, draws, box).grade, path, "x"))
                print(f"{added / ANSWER:5.1f}  {name:30} {kind}", flush=True)  # noqa: T201


def submissions(exercise: Exercise, size: int) -> Iterator[tuple[str, str]]:
    """Answers of so many bytes, with their names."""
    form = MODULE if exercise.symbol[0].isupper() else FUNCTION
    for kind, answer in ANSWERS.items():
        yield kind, form.format(symbol=exercise.symbol, answer=answer.format(size=size))


if __name__ == "__main__":
    main(sys.argv[1:])
