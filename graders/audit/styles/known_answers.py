"""The code of every known answer to an exercise: right ones, deviations and mistakes, each as one file."""

import ast
from collections.abc import Iterator

from graders.audit.styles.flatten_mistake import flatten_mistake
from graders.course.exercise import Exercise
from graders.course.reference import mistakes
from graders.course.right_answers import deviations, right_answers
from graders.results.audit_result import Kind

KnownAnswer = tuple[Kind, str, ast.Module]


def known_answers(exercise: Exercise) -> Iterator[KnownAnswer]:
    """The kind, the name and the code of each known answer.

    Mistakes of cost are left out: whether they are caught is measured, and takes long.
    """
    with right_answers(exercise.name) as paths:
        for path in paths:
            yield Kind.RIGHT, path.stem, ast.parse(path.read_text(encoding="utf-8"))
    for path in deviations(exercise.name):
        yield Kind.DEVIATION, path.stem, ast.parse(path.read_text(encoding="utf-8"))
    for name in mistakes(exercise.name, exercise.symbol):
        if name not in exercise.mistakes_of_cost:
            yield Kind.MISTAKE, name, flatten_mistake(exercise.name, exercise.symbol, name)
