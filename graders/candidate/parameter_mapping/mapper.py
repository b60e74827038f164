"""How one candidate names the reference's parameters: found once, used at every configuration."""

import contextlib
import itertools
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass, field
from typing import Any

import torch
from torch import Tensor

from graders.candidate.parameter_mapping.mapping import DoesNotFit, ParameterMapping, Shapes
from graders.candidate.parameter_mapping.search import MOST, TooMany, by_name, search, ways
from graders.check_api.check import Candidate, Module, Raised, Violation
from graders.check_api.properties import first_tensor
from graders.check_api.reference_answer import ReferenceAnswer
from graders.language import tr
from graders.safe_text import safe_text

LISTED = 20  # parameters that a message names
PARAMETERS = 300  # names of one module for which a renaming is looked for


class Undecidable(Exception):
    """Whether the module is right cannot be told: its parameters cannot be matched with the reference's."""


@dataclass
class ParameterMapper:
    """How a candidate keeps the reference's parameters.

    `mapping_draws` are fresh draws at one configuration; `alone` keeps all else waiting while they are tried.
    """

    candidate: Candidate
    mapping_draws: Callable[[], Sequence[ReferenceAnswer]]
    alone: Callable[[], AbstractContextManager[None]] = contextlib.nullcontext
    rule: ParameterMapping | None = None
    _sought: bool = False
    _config: Mapping[str, Any] = field(default_factory=dict)
    _shapes: Shapes = field(default_factory=dict)
    _expected: Shapes = field(default_factory=dict)

    def taken(
        self, values: Mapping[str, Tensor], shapes: Shapes, config: Mapping[str, Any]
    ) -> dict[str, Tensor]:
        """The reference's values under the names and in the forms of this candidate's module.

        Args:
            values: the reference's parameters, by its names.
            shapes: those of the student's module.
            config: the configuration of both.

        Raises:
            Violation: parameters are missing, or have other shapes than the configuration asks for.
            Undecidable: there are as many values as there should be, but in no form that is known.
        """
        expected = shapes_of(values)
        if by_name(shapes, expected):
            return {**values, **_no_bias(shapes, values)}
        with self.alone():
            self._seek()
        if self.rule is None:
            raise _unmatched(shapes, expected)
        try:
            made = self.rule.apply(values, shapes, heads_of(config))
        except DoesNotFit:
            raise Violation(_listed(shapes, expected)) from None
        if not self.rule.proven and not self.rule.complete:
            raise Undecidable(_listed(shapes, expected))
        return made

    @property
    def says(self) -> str:
        """What was taken for what, where that is not plain from the names; empty otherwise."""
        if self.rule is None or not self.rule.proven or not self.rule.says:
            return ""
        return safe_text(tr("parameters were matched by what they do: {rule}", rule=self.rule.says), 1_500)

    def others(self) -> Iterator[ParameterMapping]:
        """Where no rule is proven: each that is possible, at most `MOST`; it is in force until the next."""
        if self.rule is None or self.rule.proven:
            return
        likeliest = self.rule
        with contextlib.suppress(TooMany):
            for rule in itertools.islice(self._ways(), MOST):
                self.rule = rule
                yield rule
        self.rule = likeliest

    def _seek(self) -> None:
        if self._sought:
            return
        self._sought = True
        twins = self.mapping_draws()
        if not twins:
            return
        config = twins[0].draw.config
        module = self.candidate.construct(**config).to(torch.float64)
        self._shapes, self._expected = module.shapes(), shapes_of(twins[0].parameters)
        if len(self._shapes) > PARAMETERS or by_name(self._shapes, self._expected):
            return
        self._config = config

        def proves(rule: ParameterMapping) -> bool:
            return all(_equal(module, rule, twin, self._shapes, heads_of(config)) for twin in twins)

        self.rule = search(self._ways(), proves)

    def _ways(self) -> Iterator[ParameterMapping]:
        layers = self._config.get("num_layers", 0)
        return ways(self._shapes, self._expected, heads_of(self._config), layers)


def shapes_of(values: Mapping[str, Tensor]) -> dict[str, tuple[int, ...]]:
    """The shapes of parameters by name."""
    return {name: tuple(value.shape) for name, value in values.items()}


def heads_of(config: Mapping[str, Any]) -> int:
    """H of a configuration, 1 where it has none."""
    return int(config.get("num_heads", 1))


def _equal(module: Module, rule: ParameterMapping, twin: ReferenceAnswer, shapes: Shapes, heads: int) -> bool:
    try:
        module.load(rule.apply(twin.parameters, shapes, heads))
        twin.agree(first_tensor(module(*twin.draw.arguments)))
    except (DoesNotFit, Violation, Raised):
        return False
    return True


def _no_bias(shapes: Shapes, values: Mapping[str, Tensor]) -> dict[str, Tensor]:
    """A bias that the reference has not is zero; what else there is stays as the module made it."""
    dtype = next(iter(values.values())).dtype
    return {
        name: torch.zeros(shape, dtype=dtype)
        for name, shape in shapes.items()
        if name not in values and name.endswith("bias")
    }


def _unmatched(shapes: Shapes, expected: Shapes) -> Exception:
    fewer = _values(shapes) < _values(expected)
    return Violation(_listed(shapes, expected)) if fewer else Undecidable(_listed(shapes, expected))


def _values(shapes: Shapes) -> int:
    return sum(int(torch.Size(shape).numel()) for shape in shapes.values())


def _listed(found: Shapes, expected: Shapes) -> str:
    """Both lists, a line each, what differs first, and neither so long that the other is not seen."""

    def listed(shapes: Shapes, others: Shapes) -> str:
        first = sorted(shapes, key=lambda name: shapes[name] == others.get(name))[:LISTED]
        more = [tr("and {n} more", n=len(shapes) - LISTED)] if len(shapes) > LISTED else []
        return ", ".join([safe_text(f"{name} {shapes[name]}", 100) for name in first] + more) or tr("none")

    due = tr("the parameters should be {listed}", listed=listed(expected, found))
    are = tr("found were {listed}", listed=listed(found, expected))
    return safe_text(f"{due}\n{are}")
