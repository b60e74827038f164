"""Load exercises and assignments from their files: a file's name is the exercise's name.

`assignments/<name>.py` is what students get, `graders/checks/<name>.py` holds its checks, and
`assignments/course.toml` groups exercises into assignments, with titles and points.
"""

import ast
import importlib
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any

from graders.check_api.check import Check
from graders.check_api.criterion import Criterion
from graders.check_api.drawn_attention import DrawnAttention
from graders.check_api.mask_sense import MaskArgument
from graders.check_api.timed_call import Timed
from graders.check_api.usual_sizes import UsualSize, at_usual_sizes
from graders.check_api.variants import WITH_RELU, Activation
from graders.course.check_points import share_of_points
from graders.course.loss_policy import LossPolicy, loss_policy_of
from graders.course.outline import (
    UnknownName,
    assignment_names,
    definition,
    entry,
    handed_out,
    symbols_of,
    title,
)
from graders.course.speed_policy import SpeedPolicy, speed_policy_of
from graders.language import current_language, text_in, translatable

__all__ = ["Assignment", "Exercise", "UnknownName", "assignment_names", "load_assignment", "symbols_of"]


@dataclass(frozen=True)
class Exercise:
    """One exercise: the symbol that students define, its contract and its checks.

    `handed_out` is the text that students get, `contract` the docstring in it. `diagnostic_draws` makes draws
    from a seed on which mistakes differ; `activations` are accepted in place of the reference's GELU;
    `signatures` has the names of the arguments of a class's methods, in the contract's order, without `self`,
    `defaults` the defaults of its constructor.
    `other_names` are names of the symbol in the course's own documents.
    An exercise that asks for a trained model has `criteria` instead of checks, and a `rule` that says what
    the model is measured against; `beside` are further symbols that may be handed in with it.
    `mask` says which argument is a mask and how it is read, `sizes` which sizes much code fixes.
    `drawn` says how its attention is drawn on a sentence, if it has one.
    `libraries` are modules that most answers import, and that take long to import.
    `timed` makes a call of a given length if the exercise is timed; `speed_policy` says what slowness costs.
    """

    name: str
    title: str
    symbol: str
    points: float
    contract: str
    handed_out: str
    checks: tuple[Check, ...]
    diagnostic_draws: Callable[[int], list[Any]]
    activations: Sequence[Activation]
    other_names: tuple[str, ...] = ()
    beside: tuple[str, ...] = ()
    criteria: tuple[Criterion, ...] = ()
    rule: LossPolicy | None = None
    mask: MaskArgument | None = None
    sizes: tuple[UsualSize, ...] = ()
    drawn: DrawnAttention | None = None
    libraries: tuple[str, ...] = ()
    timed: Callable[..., Timed] | None = None
    speed_policy: SpeedPolicy | None = None
    signatures: Mapping[str, tuple[str, ...]] = field(default_factory=dict, hash=False)
    defaults: Mapping[str, Any] = field(default_factory=dict, hash=False)

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
        usual = partial(at_usual_sizes, sizes=sizes)
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
        return tuple(sorted({name for exercise in self.exercises for name in exercise.libraries}))

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
    return Assignment(name, title(table), tuple(load_exercise(e, table) for e in table["exercises"]))


def load_exercise(entry: dict[str, Any], assignment: dict[str, Any]) -> Exercise:
    """An exercise, from its entry and its assignment's in course.toml. Runs its checks file."""
    name = str(entry["name"])
    symbol = definition(name)
    module = importlib.import_module(f"graders.checks.{name}")
    checks = tuple(value for value in vars(module).values() if isinstance(value, Check))
    criteria = tuple(value for value in vars(module).values() if isinstance(value, Criterion))
    return Exercise(
        name=name,
        title=title(entry),
        symbol=getattr(module, "SYMBOL", symbol.name),
        points=float(entry["points"]),
        contract=text_in(ast.get_docstring(symbol), current_language()),
        handed_out=handed_out(name),
        checks=checks,
        diagnostic_draws=getattr(module, "diagnostic_draws", lambda _seed: []),
        activations=getattr(module, "ACTIVATIONS", WITH_RELU),
        signatures=_signatures(symbol),
        defaults=_defaults(symbol),
        other_names=getattr(module, "OTHER_NAMES", ()),
        beside=getattr(module, "BESIDE", ()),
        criteria=criteria,
        rule=loss_policy_of(assignment["trained"]) if criteria else None,
        mask=getattr(module, "MASK", None),
        sizes=getattr(module, "SIZES", ()),
        drawn=getattr(module, "DRAWN", None),
        libraries=getattr(module, "LIBRARIES", ()),
        timed=getattr(module, "timed", None),
        speed_policy=speed_policy_of(entry["timing"], float(entry["points"])) if "timing" in entry else None,
    )


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
