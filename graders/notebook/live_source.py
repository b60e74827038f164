"""What extraction finds out in the text of a submission, found out of a notebook's own objects."""

import ast
from typing import Any

from graders.course.exercise import Exercise
from graders.extraction.constants import find_constants
from graders.extraction.extract import Source
from graders.extraction.given_parts import find_given_parts
from graders.extraction.stub import calls_of
from graders.notebook.reach import Reach, find_reach
from graders.notebook.source_places import Places


def source_of(value: Any, exercise: Exercise, places: Places) -> tuple[Source, Reach]:
    """An object as a source without text to run, and what its code reaches.

    Args:
        value: the function, class or variable that answers the exercise.
        exercise: the exercise.
        places: finds definitions.
    """
    definition = places.definition(value)
    reach = find_reach(value)
    parts = _given_parts(definition[0], reach) if definition else {}
    if parts:
        reach = find_reach(value, *(reach.namespaces[0][name] for name in parts.values()))
    found = [places.definition(one) for one in (*reach.functions, *reach.classes)]
    nodes = {id(node): node for node, _ in filter(None, found)}
    source = Source(
        exercise.symbol,
        (),
        (definition[1],) if definition else (),
        (),
        calls=calls_of(exercise.symbol, exercise.handed_out),
        parts=tuple(parts.items()),
        constants=find_constants([*nodes.values(), *_numbers(reach)]),
        names=frozenset(name.name for name in reach.names) | {exercise.symbol},
    )
    return source, reach


def _given_parts(definition: ast.stmt, reach: Reach) -> dict[str, str]:
    """The arguments of a constructor that are modules, with the names of their classes.

    Of several classes that fit, the last one counts, as in a text: a namespace has them in their order.
    """
    known: dict[str, list[ast.stmt]] = {}
    for number, (name, value) in enumerate(reach.namespaces[0].items() if reach.namespaces else ()):
        if isinstance(value, type):
            known[name] = [ast.ClassDef(name, [], [], [], [], lineno=number)]
    return find_given_parts([definition], known)


def _numbers(reach: Reach) -> list[ast.stmt]:
    """The integers that the code reads by a name, as statements."""
    return [ast.Expr(ast.Constant(name.value)) for name in reach.names if type(name.value) is int]
