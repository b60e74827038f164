"""Exercises and assignments as they lie in files: the file's name is the registration.

`assignments/<name>.py` is what students get, `graders/checks/<name>.py` holds its checks, and
`assignments/course.toml` groups exercises into assignments, with titles and points.
"""

import ast
import difflib
import importlib
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any

from graders.check import Check
from graders.course import ASSIGNMENTS, course
from graders.language import later, said, spoken, tr
from graders.timed import Timed
from graders.timing.pace import Pace, pace_of
from graders.trained.rule import Rule, rule_of
from graders.trained.seen import Criterion
from graders.twin import WITH_RELU, Activation


class UnknownName(Exception):
    """There is no assignment or exercise of this name. The text lists those there are."""

    @classmethod
    def of(cls, what: str, name: str, known: Iterable[str]) -> "UnknownName":
        """The error for `name`, of which `what` says that it is not there, with the nearest known names."""
        names = list(known)
        near = difflib.get_close_matches(name, names, n=3)
        said = later("{what}: did you mean {names}?") if near else later("{what}: there are {names}")
        return cls(tr(said, what=tr(what, name=repr(name)), names=", ".join(near or names)))


@dataclass(frozen=True)
class Exercise:
    """One exercise: the symbol that students define, its contract and its checks.

    `handed_out` is the text that students get, `contract` the docstring in it; `trials` makes draws of a
    seed on which mistakes can be told apart, and `activations` are those accepted for the reference's GELU.
    An exercise that asks for a trained model has no checks but `criteria`, and a `rule` that says what the
    model is measured against; `beside` are symbols that may be handed in with its own.
    `timed` makes a call of a length where the exercise is timed, and `pace` says what that costs.
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
    beside: tuple[str, ...] = ()
    criteria: tuple[Criterion, ...] = ()
    rule: Rule | None = None
    timed: Callable[..., Timed] | None = None
    pace: Pace | None = None


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
                raise UnknownName.of(later("there is no exercise {name}"), name, known)
        kept = tuple(e for e in self.exercises if not wanted or e.name in wanted)
        return Assignment(self.name, self.title, kept)

    def measured_on(self, corpus: str | None) -> "Assignment":
        """The same with trained models measured on another corpus, if one is named."""
        kept = tuple(replace(e, rule=e.rule and e.rule.on(corpus)) for e in self.exercises)
        return replace(self, exercises=kept)


def assignment_names() -> list[str]:
    """The assignments of the course, in its order."""
    return list(course())


def load_assignment(name: str) -> Assignment:
    """An assignment with all its exercises.

    Raises:
        UnknownName: the course has no such assignment.
    """
    known = course()
    if name not in known:
        raise UnknownName.of(later("there is no assignment {name}"), name, known)
    entry = known[name]
    return Assignment(name, _title(entry), tuple(_exercise(e, entry) for e in entry["exercises"]))


def symbols_of(name: str) -> set[str]:
    """The symbols that an assignment asks for, without loading its checks."""
    return {_symbol(e["name"]).name for e in course()[name]["exercises"]}


def _exercise(entry: dict[str, Any], assignment: dict[str, Any]) -> Exercise:
    name = str(entry["name"])
    symbol = _symbol(name)
    module = importlib.import_module(f"graders.checks.{name}")
    checks = tuple(value for value in vars(module).values() if isinstance(value, Check))
    criteria = tuple(value for value in vars(module).values() if isinstance(value, Criterion))
    return Exercise(
        name=name,
        title=_title(entry),
        symbol=getattr(module, "SYMBOL", symbol.name),
        points=float(entry["points"]),
        contract=said(ast.get_docstring(symbol), spoken()),
        handed_out=_text(name),
        checks=checks,
        trials=getattr(module, "trials", lambda _seed: []),
        activations=getattr(module, "ACTIVATIONS", WITH_RELU),
        beside=getattr(module, "BESIDE", ()),
        criteria=criteria,
        rule=rule_of(assignment["trained"]) if criteria else None,
        timed=getattr(module, "timed", None),
        pace=pace_of(entry["timing"], float(entry["points"])) if "timing" in entry else None,
    )


def _title(entry: dict[str, Any]) -> str:
    return str(entry.get(f"title_{spoken()}", entry["title"]))


def _symbol(name: str) -> ast.FunctionDef | ast.ClassDef:
    """The last definition in what is handed out: the one that students complete."""
    tree = ast.parse(_text(name))
    return [node for node in tree.body if isinstance(node, ast.FunctionDef | ast.ClassDef)][-1]


def _text(name: str) -> str:
    return (ASSIGNMENTS / f"{name}.py").read_text(encoding="utf-8")
