"""Exercises and assignments as they lie in files: the file's name is the registration.

`assignments/<name>.py` is what students get, `graders/checks/<name>.py` holds its checks, and
`assignments/course.toml` groups exercises into assignments, with titles and points.
"""

import ast
import difflib
import importlib
import tomllib
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import graders
from graders.check import Check
from graders.language import said
from graders.late import Rule, rule_of
from graders.twin import WITH_RELU, Activation

ASSIGNMENTS = Path(graders.__file__).parent.parent / "assignments"


class UnknownName(Exception):
    """There is no assignment or exercise of this name. The text lists those there are."""

    @classmethod
    def of(cls, what: str, name: str, known: Iterable[str]) -> "UnknownName":
        """The error for `name`, with the nearest of the known names."""
        names = list(known)
        near = difflib.get_close_matches(name, names, n=3)
        hint = f"did you mean {', '.join(near)}?" if near else f"there are {', '.join(names)}"
        return cls(f"there is no {what} {name!r}: {hint}")


@dataclass(frozen=True)
class Exercise:
    """One exercise: the symbol that students define, its contract and its checks.

    `handed_out` is the text that students get, `contract` the docstring in it; `trials` makes draws of a
    seed on which mistakes can be told apart, and `activations` are those accepted for the reference's GELU.
    """

    name: str
    title: str
    symbol: str
    points: float
    contract: str
    handed_out: str
    checks: tuple[Check, ...]
    trials: Callable[[int], list[Any]]
    activations: Sequence[Activation]


@dataclass(frozen=True)
class Assignment:
    """Exercises that are handed in together."""

    name: str
    title: str
    exercises: tuple[Exercise, ...]

    def only(self, names: Iterable[str]) -> "Assignment":
        """The same with these exercises alone, all of them if none is named.

        Raises:
            UnknownName: one of them is not in the assignment.
        """
        wanted = list(names)
        known = {exercise.name for exercise in self.exercises}
        for name in wanted:
            if name not in known:
                raise UnknownName.of("exercise", name, known)
        kept = tuple(e for e in self.exercises if not wanted or e.name in wanted)
        return Assignment(self.name, self.title, kept)


def assignment_names() -> list[str]:
    """The assignments of the course, in its order."""
    return list(_course())


def load_assignment(name: str) -> Assignment:
    """An assignment with all its exercises.

    Raises:
        UnknownName: the course has no such assignment.
    """
    course = _course()
    if name not in course:
        raise UnknownName.of("assignment", name, course)
    entry = course[name]
    return Assignment(name, entry["title"], tuple(_exercise(e) for e in entry["exercises"]))


def late_rule(name: str) -> Rule | None:
    """What handing in an assignment late costs; None where it costs nothing, or the course has no such.

    Raises:
        BadRule: course.toml states a rule that means nothing.
    """
    table = _course().get(name, {}).get("late")
    return None if table is None else rule_of(table)


def symbols_of(name: str) -> set[str]:
    """The symbols that an assignment asks for, without loading its checks."""
    return {_symbol(e["name"]).name for e in _course()[name]["exercises"]}


def _course() -> dict[str, Any]:
    return tomllib.loads((ASSIGNMENTS / "course.toml").read_text(encoding="utf-8"))


def _exercise(entry: dict[str, Any]) -> Exercise:
    name = str(entry["name"])
    symbol = _symbol(name)
    module = importlib.import_module(f"graders.checks.{name}")
    checks = tuple(value for value in vars(module).values() if isinstance(value, Check))
    return Exercise(
        name=name,
        title=str(entry["title"]),
        symbol=symbol.name,
        points=float(entry["points"]),
        contract=said(ast.get_docstring(symbol)),
        handed_out=_text(name),
        checks=checks,
        trials=getattr(module, "trials", lambda _seed: []),
        activations=getattr(module, "ACTIVATIONS", WITH_RELU),
    )


def _symbol(name: str) -> ast.FunctionDef | ast.ClassDef:
    """The last definition in what is handed out: the one that students complete."""
    tree = ast.parse(_text(name))
    return [node for node in tree.body if isinstance(node, ast.FunctionDef | ast.ClassDef)][-1]


def _text(name: str) -> str:
    return (ASSIGNMENTS / f"{name}.py").read_text(encoding="utf-8")
