"""What a search for a mapping asks of the reference and of known mistakes, which are live or stored."""

import contextlib
import itertools
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Protocol

import torch
from torch import Tensor, nn

from graders.candidate.parameter_mapping.probe import Probe, copies_of, equal_values, probe_reference
from graders.candidate.parameter_mapping.structure import RoleClass, roles_of
from graders.check_api.check import Violation
from graders.check_api.compare import require
from graders.check_api.properties import first_tensor
from graders.check_api.reference_answer import Recipe, ReferenceAnswer
from graders.check_api.variants import count_own_alternatives, each_activation


class MistakenModel(Protocol):
    """A known mistake."""

    def probe(self, number: int) -> Probe | None:
        """Its probe on an answer's draw; None where it refuses that, or has other roles."""

    def output(self, number: int, absent: frozenset[str]) -> Tensor | None:
        """Its output under the reference's parameters, these biases zero; None where it gives none."""


class ReferenceModels(Protocol):
    """The reference and its known mistakes, asked by the numbers of the answers to mapping draws."""

    @property
    def names(self) -> frozenset[str]:
        """The names of the reference's parameters."""

    @property
    def answers(self) -> Sequence[ReferenceAnswer]:
        """The reference's answers to the mapping draws."""

    def right(self, number: int) -> Sequence[Probe]:
        """The probe of the reference in each variant that is right too."""

    def mistakes(self) -> Iterator[MistakenModel]:
        """The known mistakes."""


@dataclass(frozen=True)
class StoredMistake:
    """A known mistake's probes and outputs, by the numbers of the answers."""

    probes: Mapping[int, Probe]
    outputs: Mapping[tuple[int, frozenset[str]], Tensor]

    def probe(self, number: int) -> Probe | None:
        """Its probe."""
        return self.probes.get(number)

    def output(self, number: int, absent: frozenset[str]) -> Tensor | None:
        """Its output."""
        return self.outputs.get((number, absent))


@dataclass(frozen=True)
class StoredModels:
    """What an answer key holds of the reference and of its known mistakes."""

    names: frozenset[str]
    answers: Sequence[ReferenceAnswer]
    probes: Mapping[int, Sequence[Probe]]
    mistaken: Sequence[StoredMistake]

    def right(self, number: int) -> Sequence[Probe]:
        """The stored probes."""
        return self.probes.get(number, ())

    def mistakes(self) -> Iterator[MistakenModel]:
        """The stored mistakes."""
        yield from self.mistaken


@dataclass
class LiveModels:
    """The reference as `recipe` makes it, and its known mistakes; `draws` are its answers without `adapt`."""

    recipe: Recipe
    draws: Sequence[ReferenceAnswer]

    @cached_property
    def answers(self) -> Sequence[ReferenceAnswer]:
        """The answers to the mapping draws."""
        if self.recipe.adapt is None:
            return self.draws
        return [self.recipe.answer(answer.draw) for answer in self.draws]

    @property
    def config(self) -> Mapping[str, Any]:
        """That of all mapping draws."""
        config: Mapping[str, Any] = self.draws[0].draw.config
        return config

    @cached_property
    def names(self) -> frozenset[str]:
        """The names of the reference's parameters."""
        return frozenset(name for name, _ in self.recipe.model(self.config).named_parameters())

    @cached_property
    def layers(self) -> int:
        """The number of equal layers, or 0."""
        return int(self.config.get("num_layers", 0))

    @cached_property
    def roles(self) -> dict[str, RoleClass]:
        """The classes of the reference's parameters."""
        return roles_of({n: tuple(v.shape) for n, v in self.answers[0].parameters.items()}, self.layers)

    def right(self, number: int) -> Sequence[Probe]:
        """The probe of the reference in each variant that is right too."""
        return [self.probe(model, number) for model in self.recipe.models(self.config)]

    def mistakes(self) -> Iterator[MistakenModel]:
        """The known mistakes, then the same with each other part that is right in a reference of several.

        With such a part every answer is another: code that has it and a mistake would prove no mapping.
        """
        for variant in range(count_own_alternatives(self.recipe.reference)):
            for mistake in self.recipe.mistakes().values():
                yield _LiveMistake(self, mistake, variant)

    def probe(self, model: nn.Module, number: int) -> Probe:
        """The probe of a model of ours on an answer's draw."""
        answer = self.answers[number]
        values = equal_values(self.roles, self.layers, answer.draw.seed)
        return probe_reference(model, values, answer, self.roles, self.layers)


@dataclass
class _LiveMistake:
    models: LiveModels
    mistake: Callable[..., nn.Module]
    variant: int

    def _model(self) -> nn.Module:
        model = self.mistake(**self.models.config).eval()
        variants = each_activation(model, self.models.recipe.activations)
        return next(itertools.islice(variants, self.variant, None)) if self.variant else model

    def probe(self, number: int) -> Probe | None:
        # A mistake of ours may refuse a configuration or a call.
        with contextlib.suppress(Exception):
            model = self._model()
            names = {name: tuple(value.shape) for name, value in model.named_parameters()}
            if roles_of(names, self.models.layers) == self.models.roles:
                return self.models.probe(model, number)
        return None

    def output(self, number: int, absent: frozenset[str]) -> Tensor | None:
        answer = self.models.answers[number].without(absent)
        with contextlib.suppress(Exception):
            model = self._model().double()
            model.load_state_dict(answer.parameters, strict=False)
            with torch.no_grad():
                return first_tensor(model(*copies_of(answer.draw.arguments)))
        return None


def models_of(recipe: Recipe, draws: Sequence[ReferenceAnswer]) -> ReferenceModels | None:
    """The models that a recipe makes, with its answers to mapping draws, or those that are stored with it.

    None where the recipe is of an answer key that has none for its layout.

    Args:
        recipe: of the reference, in one layout.
        draws: the answers to the mapping draws, in the reference's own layout.
    """
    if recipe.stored is not None:
        stored: ReferenceModels | None = recipe.stored.get(layout_name(recipe))
        return stored
    return LiveModels(recipe, draws)


def layout_name(recipe: Recipe) -> str:
    """The name of the layout that a recipe gives to the reference; empty for its own."""
    return str(getattr(recipe.adapt, "__name__", ""))


def require_same_shape(theirs: Tensor, ours: Tensor | None) -> Tensor:
    """The output of a mistake, which is required to have the shape of the student's.

    Raises:
        Violation: it has another, or there is none.
    """
    if ours is None:
        raise Violation("")
    require(theirs.shape == ours.shape, "")
    return ours
