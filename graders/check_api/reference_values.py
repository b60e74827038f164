"""What a reference computes for given inputs, in every equally right variant of it."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import cached_property, partial
from itertools import islice
from typing import Any

import torch
from torch import Tensor, nn

from graders.check_api.target import (
    SAFETY,
    LateTarget,
    Target,
    coarser_single,
    exactly,
    least_rounding,
    rounding,
    target,
)
from graders.check_api.variants import (
    MOST_EPS,
    Activation,
    apply_variant,
    count_activations,
    each_activation,
    with_least_eps,
)

Known = Callable[[str, Callable[[], Any]], Any]
Measured = tuple[float, float, Tensor]  # tolerance, that of float32, values (none of the first variant)


def _make(_: str, make: Callable[[], Any]) -> Any:
    return make()


@dataclass(frozen=True, eq=False)
class ReferenceValues:
    """The accepted targets for what a reference computes.

    The exact values of the first variant are computed at once. The other variants, and the rounding errors,
    take ten times as long: they are computed when an answer is not near enough to the first.

    Attributes:
        make: makes the reference's module, in evaluation mode.
        arguments: those that it is called with.
        inputs: values of all its parameters, then of the arguments of floating point.
        activations: those accepted in the place of its GELU.
        upstream: the gradient of the loss for the output at index `place`; without it no gradients are taken.
        place: the index of that output.
        times: a factor on all tolerances.
        known: gives what an earlier run has kept under a name, or else what it is called with.
    """

    make: Callable[[], nn.Module]
    arguments: list[Any]
    inputs: list[Tensor]
    activations: Sequence[Activation]
    upstream: Tensor | None = None
    place: int = 0
    times: float = 1.0
    known: Known = _make
    _measured: dict[int, list[Measured]] = field(default_factory=dict)

    def compute(self) -> tuple[list[Tensor], int]:
        """The exact values of the first variant, and how many variants there are."""
        model = apply_variant(self.make(), eps=MOST_EPS)
        count = count_activations(model, self.activations)
        return exactly(self._function(next(each_activation(model, self.activations))), self.inputs), count

    def accepted(self) -> list[tuple[Target, ...]]:
        """The accepted targets of each output, then of each gradient: for the parameters and the inputs."""
        return self.accept(*self.compute())

    def accept(self, exact: Sequence[Tensor], count: int) -> list[tuple[Target, ...]]:
        """The same, where `compute` has given these values."""
        least = least_rounding(exact, self.inputs, one_scale=self.upstream is not None)

        def late(place: int, variant: int) -> Target:
            return LateTarget(
                lambda: exact[place] if variant == 0 else self._variant(variant)[place][2],
                lambda: self._variant(variant)[place][0],
                lambda: SAFETY * least[place] * self.times,
                lambda: self._variant(variant)[place][1],
            )

        return [tuple(late(place, variant) for variant in range(count)) for place in range(len(exact))]

    def _variant(self, number: int) -> list[Measured]:
        """The targets of one variant. An answer that agrees with the first does not need the others."""
        if number not in self._measured:
            self._measured[number] = self.known(f"variant {number}", partial(self._measure_variant, number))
        return self._measured[number]

    def _measure_variant(self, number: int) -> list[Measured]:
        model = apply_variant(self.make(), eps=MOST_EPS)
        compute = self._function(model)
        variant = next(islice(each_activation(model, self.activations), number, None))
        exact = exactly(compute, self.inputs)
        least = [exactly(compute, self.inputs) for _ in with_least_eps(variant)]
        equivalents = list(zip(*least, strict=True)) or [()] * len(exact)
        coarser = coarser_single(self.inputs)
        targets = [
            target(*each, coarser=coarser, times=self.times)
            for each in zip(exact, self._errors, equivalents, strict=True)
        ]
        return [(t.tolerance, t.single, t.exact if number else torch.empty(0)) for t in targets]

    @cached_property
    def _errors(self) -> list[float]:
        """Rounding: another activation or another epsilon does not change it much, so it is measured once."""
        errors: list[float] = self.known("rounding", self._measure_rounding)
        return errors

    def _measure_rounding(self) -> list[float]:
        return rounding(self._function(self.make()), self.inputs, one_scale=self.upstream is not None)

    def _function(self, model: nn.Module) -> "ModuleFunction":
        return ModuleFunction(model, self.arguments, self.upstream, self.place)


class ModuleFunction:
    """A module as a function of all its parameters and of its arguments of floating point."""

    def __init__(
        self, model: nn.Module, arguments: list[Any], upstream: Tensor | None = None, place: int = 0
    ) -> None:
        self._model, self._arguments = model, arguments
        self._upstream, self._place = upstream, place
        # `torch.func.functional_call` looks for them again in each call, which takes as long as the call.
        self._slots = _slots_of(model)

    def __call__(self, *inputs: Tensor) -> list[Tensor]:
        """All outputs and, with `upstream`, all gradients after them. The module keeps the parameters."""
        leaves = [value.clone().requires_grad_(self._upstream is not None) for value in inputs]
        floats = iter(leaves[len(self._slots) :])
        given = [
            next(floats) if isinstance(a, Tensor) and a.is_floating_point() else a for a in self._arguments
        ]
        for slots, leaf in zip(self._slots, leaves, strict=False):
            for parameters, name in slots:
                parameters[name] = leaf
        answer = self._model(*given)
        outputs = list(answer) if isinstance(answer, tuple) else [answer]
        if self._upstream is None:
            return [value.detach() for value in outputs]
        loss = (outputs[self._place] * self._upstream.to(outputs[self._place].dtype)).sum()
        gradients = torch.autograd.grad(loss, leaves, materialize_grads=True)
        return [value.detach() for value in (*outputs, *gradients)]


_Slot = tuple[dict[str, Any], str]  # a module's parameters, and the name of one


def _slots_of(model: nn.Module) -> list[list[_Slot]]:
    """Where a module holds each of its parameters, in their order; one that is tied has several slots."""
    slots: dict[int, list[_Slot]] = {}
    for module in model.modules():
        for name, parameter in module._parameters.items():
            if parameter is not None:
                slots.setdefault(id(parameter), []).append((module._parameters, name))
    return list(slots.values())
