"""The reference with weights of a seed: what a student's module should answer under the same weights.

Equally right answers are accepted side by side: GELU exact or by tanh, ReLU where the course offers it,
and any epsilon of a layer norm from 1e-12 to 1e-5.
"""

import copy
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

import torch
from torch import Tensor, nn
from torch.func import functional_call

from graders.check import Gradients
from graders.compare import Target, agree, exactly, require, rounding, target
from graders.tensors import Model, normal, weights

ACTIVATIONS: tuple[Callable[[], nn.Module], ...] = (nn.GELU, lambda: nn.GELU(approximate="tanh"), nn.ReLU)
LEAST_EPS = 1e-12


@dataclass(frozen=True, eq=False)
class Twin:
    """What the reference answers: per output, and per gradient by name, the accepted targets.

    `gradients` are those of sum(first output * upstream), for the parameters and for "x".
    """

    parameters: dict[str, Tensor]
    upstream: Tensor
    outputs: tuple[tuple[Target, ...], ...]
    gradients: dict[str, tuple[Target, ...]]

    def agree_gradients(self, found: Gradients) -> None:
        """Require the reference's gradient for every parameter and for x.

        Raises:
            Violation: one is missing or has other values.
        """
        for name, accepted in self.gradients.items():
            gradient = found.parameters.get(name) if name != "x" else next(iter(found.inputs), None)
            require(gradient is not None, f"no gradient reaches {name}: is something detached or never used?")
            agree(gradient, *accepted, what=f"the gradient of {name}")


def twin(draw: Model, reference: Any) -> Twin:
    """The reference's outputs for `draw`, in every equally right variant.

    Args:
        draw: configuration, input and mask; its dtype is that of the whole comparison.
        reference: the reference's class.
    """
    return _twin(draw, reference, slopes=False)


def taught(draw: Model, reference: Any) -> Twin:
    """The same with the reference's gradients."""
    return _twin(draw, reference, slopes=True)


def _twin(draw: Model, reference: Any, slopes: bool) -> Twin:
    model = reference(**draw.config).eval()
    named = weights({n: tuple(p.shape) for n, p in model.named_parameters()}, draw.seed, dtype=draw.x.dtype)
    inputs = [*named.values(), draw.x]
    upstream = normal(*draw.x.shape, seed=draw.seed + 7, dtype=draw.x.dtype)
    back = upstream if slopes else None
    computed = partial(_computed, names=list(named), mask=draw.mask, upstream=back)
    errors = rounding(
        computed(model), inputs, one_scale=slopes
    )  # an activation more or less does not change it much
    found = []
    for variant in _variants(model):
        exact, twins = exactly(computed(variant), inputs), exactly(computed(_least_eps(variant)), inputs)
        found.append(list(map(target, exact, errors, twins)))
    accepted = list(zip(*found, strict=True))
    outputs = len(accepted) - (len(inputs) if slopes else 0)
    return Twin(
        named, upstream, tuple(accepted[:outputs]), dict(zip([*named, "x"], accepted[outputs:], strict=False))
    )


def _variants(model: nn.Module) -> list[nn.Module]:
    """The module with each accepted activation; itself where it has none."""
    places = [name for name, part in model.named_modules() if isinstance(part, nn.GELU)]
    if not places:
        return [model]
    variants = []
    for activation in ACTIVATIONS:
        variant = copy.deepcopy(model)
        for place in places:
            variant.set_submodule(place, activation())
        variants.append(variant)
    return variants


def _least_eps(model: nn.Module) -> nn.Module:
    variant = copy.deepcopy(model)
    for part in variant.modules():
        if isinstance(part, nn.LayerNorm):
            part.eps = LEAST_EPS
    return variant


def _computed(
    model: nn.Module, names: list[str], mask: Tensor | None, upstream: Tensor | None
) -> Callable[..., Sequence[Tensor]]:
    """A function of all parameters and x that gives all outputs, then with `upstream` all gradients."""

    def compute(*inputs: Tensor) -> list[Tensor]:
        leaves = [value.clone().requires_grad_(upstream is not None) for value in inputs]
        arguments = (leaves[-1],) if mask is None else (leaves[-1], mask)
        answer = functional_call(model, dict(zip(names, leaves, strict=False)), arguments)
        outputs = list(answer) if isinstance(answer, tuple) else [answer]
        if upstream is None:
            return [value.detach() for value in outputs]
        loss = (outputs[0] * upstream.to(outputs[0].dtype)).sum()
        gradients = torch.autograd.grad(loss, leaves, materialize_grads=True)
        return [value.detach() for value in (*outputs, *gradients)]

    return compute
