"""Load exercises and assignments from their files: a file's name is the exercise's name.

One file is what students get, one of the same name holds its checks (`graders/locations.py` knows where they
lie), and the course's file groups exercises into assignments, with titles and points.
"""

import ast
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache, partial
from typing import Any

from graders.check_api.check import Check
from graders.check_api.criterion import Criterion
from graders.check_api.options import Options, no_draws
from graders.check_api.usual_sizes import UsualSize, at_usual_sizes
from graders.course.accepted_activations import accepting, activations_of
from graders.course.check_points import share_of_points
from graders.course.describe_error import describe_error
from graders.course.faults import fault_of
from graders.course.import_files import import_checks
from graders.course.loss_policy import LossPolicy
from graders.course.outline import (
    UnknownName,
    assignment_names,
    changes_of,
    definition,
    entry,
    handed_out,
    rule_of,
    speed_of,
    symbols_of,
    title,
)
from graders.course.reference import reference
from graders.course.speed_policy import SpeedPolicy
from graders.language import current_language, text_in, translatable
from graders.locations import course

__all__ = ["Assignment", "Exercise", "UnknownName", "assignment_names", "load_assignment", "symbols_of"]


@dataclass(frozen=True)
class Exercise:
    """One exercise: the symbol that students define, its contract and its checks.

    `handed_out` is the text that students get, `contract` the docstring in it. `diagnostic_draws` makes draws
    from a seed on which mistakes differ; `options` are those of its checks file;
    `signatures` has the names of the arguments of a class's methods, in the contract's order, without `self`,
    `defaults` the defaults of its constructor.
    An exercise that asks for a trained model has `criteria` instead of checks, and a `rule` that says what
    the model is measured against. `speed_policy` says what slowness costs, if it is timed.
    Where one of its files is broken, `fault` says which: then it has no checks. What is due may be missed by
    `tolerance` times softmark's own tolerance. `changed` is what the file changes in how code is judged.
    """

    name: str
    title: str
    symbol: str
    points: float
    contract: str
    handed_out: str
    checks: tuple[Check, ...]
    diagnostic_draws: Callable[[int], list[Any]]
    options: Options = field(default_factory=Options)
    criteria: tuple[Criterion, ...] = ()
    rule: LossPolicy | None = None
    speed_policy: SpeedPolicy | None = None
    signatures: Mapping[str, tuple[str, ...]] = field(default_factory=dict, hash=False)
    defaults: Mapping[str, Any] = field(default_factory=dict, hash=False)
    fault: str | None = None
    tolerance: float = 1.0
    changed: tuple[tuple[str, str], ...] = ()

    @property
    def value_checks(self) -> tuple[Check, ...]:
        """The checks that judge answers, not what they cost."""
        return tuple(check for check in self.checks if check.grows_as is None)

    @property
    def mistakes_of_cost(self) -> frozenset[str]:
        """The names of the known mistakes that answer rightly and cost too much."""
        growths = [check.grows_as for check in self.checks if check.grows_as is not None]
        return frozenset(f"{self.symbol}__{name}" for growth in growths for name in growth.mistakes)

    def points_of(self, check: Check | Criterion) -> float:
        """The points that one of its checks or criteria brings."""
        whole = sum(c.points for c in self.checks) + sum(c.points for c in self.criteria)
        for_speed = self.speed_policy.points if self.speed_policy else 0
        return share_of_points(self.points, for_speed, check.points, whole)

    def at_usual_sizes(self, sizes: Sequence[UsualSize]) -> "Exercise":
        """The exercise with draws in which these sizes have their usual values."""
        usual = _at(tuple(sizes))
        checks = tuple(check.mapped(usual) for check in self.checks)
        draws = self.diagnostic_draws
        return replace(self, checks=checks, diagnostic_draws=lambda seed: [usual(d) for d in draws(seed)])


@dataclass(frozen=True)
class Assignment:
    """Exercises that are handed in together."""

    name: str
    title: str
    exercises: tuple[Exercise, ...]

    @property
    def libraries(self) -> tuple[str, ...]:
        """The modules that most answers to some exercise import."""
        return tuple(sorted({name for exercise in self.exercises for name in exercise.options.libraries}))

    def only(self, names: Iterable[str]) -> "Assignment":
        """The assignment with only these exercises; with all of them if none is named.

        Raises:
            UnknownName: one of them is not in the assignment.
        """
        wanted = list(names)
        known = {exercise.name for exercise in self.exercises}
        for name in wanted:
            if name not in known:
                raise UnknownName.of(translatable("there is no exercise {name}"), name, known)
        kept = tuple(e for e in self.exercises if not wanted or e.name in wanted)
        return Assignment(self.name, self.title, kept)

    def measured_on(self, corpus: str | None) -> "Assignment":
        """The assignment with trained models measured on another corpus, if one is named."""
        kept = tuple(replace(e, rule=e.rule and e.rule.on(corpus)) for e in self.exercises)
        return replace(self, exercises=kept)


def load_assignment(name: str) -> Assignment:
    """An assignment with all its exercises.

    Raises:
        UnknownName: the course has no such assignment.
    """
    table = entry(name)
    return Assignment(name, title(table), tuple(_load_or_fault(e, table) for e in table["exercises"]))


def _load_or_fault(entry: dict[str, Any], assignment: dict[str, Any]) -> Exercise:
    """An exercise; where one of its files is broken, one without checks that says so."""
    name = str(entry["name"])
    fault = fault_of(name) if course().is_own else None
    try:
        if fault is None:
            exercise = load_exercise(entry, assignment)
            if course().is_own and exercise.rule is None:
                reference(name, exercise.symbol)
            return exercise
    except (Exception, SystemExit) as error:  # whatever the author's code raises
        fault = fault_of(name) or describe_error(error)
    return Exercise(
        name=name,
        title=title(entry),
        symbol=_symbol_of(name),
        points=float(entry["points"]),
        contract="",
        handed_out="",
        checks=(),
        diagnostic_draws=no_draws,
        fault=fault,
    )


def _symbol_of(exercise: str) -> str:
    """The symbol that an exercise asks for, or its own name where its stub cannot be read."""
    try:
        return definition(exercise).name
    except (OSError, SyntaxError, ValueError):
        return exercise


def load_exercise(entry: dict[str, Any], assignment: dict[str, Any]) -> Exercise:
    """An exercise, from its entry and its assignment's in course.toml. Runs its checks file."""
    name = str(entry["name"])
    symbol = definition(name)
    module = import_checks(name)
    options = options_in(vars(module))
    if others := tuple(entry.get("other_names", ())):
        options = replace(options, other_names=(*options.other_names, *others))
    if "activations" in entry:
        options = replace(options, activations=activations_of(entry["activations"]))
    checks = tuple(checks_in(vars(module), options))
    if "activations" in entry:
        checks = tuple(replace(c, answer=accepting(c.answer, options.activations)) for c in checks)
    criteria = tuple(value for value in vars(module).values() if isinstance(value, Criterion))
    return Exercise(
        name=name,
        title=title(entry),
        symbol=options.symbol or symbol.name,
        points=float(entry["points"]),
        contract=text_in(ast.get_docstring(symbol), current_language()),
        handed_out=handed_out(name),
        checks=checks,
        options=options,
        diagnostic_draws=options.diagnostic_draws,
        signatures=_signatures(symbol),
        defaults=_defaults(symbol),
        criteria=criteria,
        rule=rule_of(bool(criteria), assignment),
        tolerance=float(entry.get("tolerance", 1)),
        changed=changes_of(entry),
        speed_policy=speed_of(entry),
    )


@cache
def _at(sizes: tuple[UsualSize, ...]) -> Callable[[Any], Any]:
    """Makes draws of these sizes: one function for all submissions, since answers are kept by it."""
    return partial(at_usual_sizes, sizes=sizes)


def options_in(values: Mapping[str, Any]) -> Options:
    """The options among the values of a checks file, or those of a file without any.

    Raises:
        ValueError: there are several.
    """
    found = [value for value in values.values() if isinstance(value, Options)]
    if len(found) > 1:
        raise ValueError("a checks file has one Options at most")
    return found[0] if found else Options()


def checks_in(values: Mapping[str, Any], options: Options) -> Iterator[Check]:
    """The checks among the values of a checks file. A check has the name that it has there."""
    for name, value in values.items():
        if isinstance(value, Check):
            yield value.of_exercise(name, options)


def _signatures(symbol: ast.FunctionDef | ast.ClassDef) -> dict[str, tuple[str, ...]]:
    methods = [node for node in symbol.body if isinstance(node, ast.FunctionDef)]
    arguments = {node.name: tuple(a.arg for a in node.args.args[1:]) for node in methods}
    return arguments if isinstance(symbol, ast.ClassDef) else {}


def _defaults(symbol: ast.FunctionDef | ast.ClassDef) -> dict[str, Any]:
    """The defaults of a class's constructor."""
    methods = (node for node in symbol.body if isinstance(node, ast.FunctionDef) and node.name == "__init__")
    given = next((method.args for method in methods), None) if isinstance(symbol, ast.ClassDef) else None
    if given is None:
        return {}
    named = given.args[len(given.args) - len(given.defaults) :]
    return {a.arg: ast.literal_eval(value) for a, value in zip(named, given.defaults, strict=True)}
