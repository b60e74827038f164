"""Finds once which of a candidate's parameters hold the reference's, and uses that at every configuration."""

import contextlib
import itertools
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass, field
from typing import Any

import torch
from torch import Tensor

from graders.candidate.parameter_mapping.mapping import DoesNotFit, ParameterMapping, Shapes
from graders.candidate.parameter_mapping.search import (
    MOST_TRIED,
    SearchTooLong,
    find_mapping,
    has_all_by_name,
    possible_mappings,
)
from graders.check_api.check import Candidate, Module, Raised, Violation
from graders.check_api.properties import first_tensor
from graders.check_api.reference_answer import ReferenceAnswer
from graders.language import tr
from graders.safe_text import safe_text

LISTED = 20  # maximum number of parameters in a message
PARAMETERS = 300  # maximum number of parameter names for which a mapping is searched


class Undecidable(Exception):
    """It is undecided whether the module is right: its parameters cannot be matched with the reference's."""


@dataclass
class ParameterMapper:
    """How a candidate keeps the reference's parameters.

    `mapping_draws` gives fresh draws of one configuration with the reference's answers. `alone` is a context
    in which no other call of the candidate runs: a mapping is searched inside it.
    """

    candidate: Candidate
    mapping_draws: Callable[[], Sequence[ReferenceAnswer]]
    alone: Callable[[], AbstractContextManager[None]] = contextlib.nullcontext
    mapping: ParameterMapping | None = None
    _searched: bool = False
    _config: Mapping[str, Any] = field(default_factory=dict)
    _shapes: Shapes = field(default_factory=dict)
    _expected: Shapes = field(default_factory=dict)

    def convert(
        self, values: Mapping[str, Tensor], shapes: Shapes, config: Mapping[str, Any]
    ) -> dict[str, Tensor]:
        """The reference's values under the names and in the layouts of this candidate's module.

        Args:
            values: the reference's parameters, by its names.
            shapes: those of the student's module.
            config: the configuration of both.

        Raises:
            Violation: parameters are missing, or have shapes that do not follow from the configuration.
            Undecidable: there are as many values as there should be, but in no known layout.
        """
        expected = shapes_of(values)
        if has_all_by_name(shapes, expected):
            return {**values, **_zero_extra_biases(shapes, values)}
        with self.alone():
            self._search()
        if self.mapping is None:
            raise _unmatched(shapes, expected)
        try:
            converted = self.mapping.apply(values, shapes, heads_of(config))
        except DoesNotFit:
            raise Violation(_list_both(shapes, expected)) from None
        if not self.mapping.proven and not self.mapping.complete:
            raise Undecidable(_list_both(shapes, expected))
        return converted

    @property
    def says(self) -> str:
        """Which parameters were matched, where the names alone do not show it; empty otherwise."""
        if self.mapping is None or not self.mapping.proven or not self.mapping.says:
            return ""
        return safe_text(tr("parameters were matched by what they do: {rule}", rule=self.mapping.says), 1_500)

    def others(self) -> Iterator[ParameterMapping]:
        """Where no mapping is proven: each possible one, at most `MOST_TRIED`; it is used until the next."""
        if self.mapping is None or self.mapping.proven:
            return
        likeliest = self.mapping
        with contextlib.suppress(SearchTooLong):
            for mapping in itertools.islice(self._possible_mappings(), MOST_TRIED):
                self.mapping = mapping
                yield mapping
        self.mapping = likeliest

    def _search(self) -> None:
        if self._searched:
            return
        self._searched = True
        answers = self.mapping_draws()
        if not answers:
            return
        config = answers[0].draw.config
        module = self.candidate.construct(**config).to(torch.float64)
        self._shapes, self._expected = module.shapes(), shapes_of(answers[0].parameters)
        if len(self._shapes) > PARAMETERS or has_all_by_name(self._shapes, self._expected):
            return
        self._config = config

        def proves(mapping: ParameterMapping) -> bool:
            return all(
                _gives_the_answer(module, mapping, answer, self._shapes, heads_of(config))
                for answer in answers
            )

        self.mapping = find_mapping(self._possible_mappings(), proves)

    def _possible_mappings(self) -> Iterator[ParameterMapping]:
        layers = self._config.get("num_layers", 0)
        return possible_mappings(self._shapes, self._expected, heads_of(self._config), layers)


def shapes_of(values: Mapping[str, Tensor]) -> dict[str, tuple[int, ...]]:
    """The shapes of parameters by name."""
    return {name: tuple(value.shape) for name, value in values.items()}


def heads_of(config: Mapping[str, Any]) -> int:
    """H of a configuration, 1 where it has none."""
    return int(config.get("num_heads", 1))


def _gives_the_answer(
    module: Module, mapping: ParameterMapping, answer: ReferenceAnswer, shapes: Shapes, heads: int
) -> bool:
    try:
        module.load(mapping.apply(answer.parameters, shapes, heads))
        answer.agree(first_tensor(module(*answer.draw.arguments)))
    except (DoesNotFit, Violation, Raised):
        return False
    return True


def _zero_extra_biases(shapes: Shapes, values: Mapping[str, Tensor]) -> dict[str, Tensor]:
    """Zeros for biases that the reference does not have; all other extra parameters stay as they are."""
    dtype = next(iter(values.values())).dtype
    return {
        name: torch.zeros(shape, dtype=dtype)
        for name, shape in shapes.items()
        if name not in values and name.endswith("bias")
    }


def _unmatched(shapes: Shapes, expected: Shapes) -> Exception:
    fewer = _values(shapes) < _values(expected)
    return Violation(_list_both(shapes, expected)) if fewer else Undecidable(_list_both(shapes, expected))


def _values(shapes: Shapes) -> int:
    return sum(int(torch.Size(shape).numel()) for shape in shapes.values())


def _list_both(actual: Shapes, expected: Shapes) -> str:
    """Both lists, each on a line, with what differs first, and short enough that both are seen."""

    def listed(shapes: Shapes, others: Shapes) -> str:
        first = sorted(shapes, key=lambda name: shapes[name] == others.get(name))[:LISTED]
        more = [tr("and {n} more", n=len(shapes) - LISTED)] if len(shapes) > LISTED else []
        return ", ".join([safe_text(f"{name} {shapes[name]}", 100) for name in first] + more) or tr("none")

    should_be = tr("the parameters should be {listed}", listed=listed(expected, actual))
    are = tr("but they are {listed}", listed=listed(actual, expected))
    return safe_text(f"{should_be}\n{are}")
