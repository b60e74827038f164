"""Grade strangers' code: `python -m tests.strangers --mirror DIR --out DIR`.

Cuts each answer of the list out of local clones, grades it as softmark grades a student, and compares the
verdict with the one that a person gave. Run by hand: it downloads nothing, and where a clone is missing, its
answers are left out. What the code does, it does in the box.
"""

import argparse
import json
import tempfile
from collections.abc import Iterable
from dataclasses import asdict
from functools import cache
from pathlib import Path
from typing import Any

from graders.course.exercise import Assignment, Exercise, assignment_names, load_assignment
from graders.grade import Grader
from graders.judging.draws import Draws
from graders.language import speaking
from graders.sandbox.isolation.choose_level import best
from graders.sandbox.limits import Limits
from tests.strangers.corpus import Answer, read_corpus
from tests.strangers.cut import cut
from tests.strangers.table import make_table
from tests.strangers.verdicts import Judged, compare

LIMITS = Limits(call_s=10.0, load_s=60.0)


@cache
def find_exercise(name: str) -> tuple[Assignment, Exercise]:
    """The exercise of a name, and its assignment."""
    for assignment in map(load_assignment, assignment_names()):
        for exercise in assignment.exercises:
            if exercise.name == name:
                return assignment, exercise
    raise KeyError(name)


def grade(answers: Iterable[Answer], mirror: Path, out: Path) -> list[Judged]:
    """Grade answers one after another, and write a line of JSON for each."""
    draws, judged = Draws(1), []
    box, _ = best(LIMITS)
    with box, (out / "answers.jsonl").open("w", encoding="utf-8") as lines:
        for answer in answers:
            assignment, exercise = find_exercise(answer.exercise)
            grader = Grader(assignment, draws, box).only((exercise.name,))
            with tempfile.TemporaryDirectory() as folder:
                cut(answer, exercise.symbol, mirror, Path(folder))
                result = grader.grade(Path(folder), answer.repository)
            one = compare(answer, result.exercises[0])
            judged.append(one)
            lines.write(json.dumps(asdict(one), default=_plain_data) + "\n")
            lines.flush()
    return judged


def _plain_data(value: Any) -> Any:
    return sorted(value)


def main() -> None:
    """Read the options, grade, and print the table."""
    parser = argparse.ArgumentParser(prog="python -m tests.strangers", description=__doc__)
    parser.add_argument("--mirror", type=Path, required=True, help="the folder of clones, called owner+name")
    parser.add_argument(
        "--out", type=Path, required=True, help="where table.md and answers.jsonl are written"
    )
    parser.add_argument("--only", default="", help="a part of the names of repositories and exercises")
    options = parser.parse_args()
    options.out.mkdir(parents=True, exist_ok=True)
    listed = [a for a in read_corpus() if options.only in f"{a.repository} {a.exercise} {a.symbol}"]
    answers = [a for a in listed if (options.mirror / a.repository.replace("/", "+")).is_dir()]
    with speaking("en"):
        table = make_table(grade(answers, options.mirror, options.out), len(listed) - len(answers))
    (options.out / "table.md").write_text(table, encoding="utf-8")
    print(table)  # noqa: T201


if __name__ == "__main__":
    main()
