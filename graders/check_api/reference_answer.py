"""The reference with weights of a seed: what a student's module should answer under the same weights.

Equally right answers are accepted side by side: GELU exact or by tanh, ReLU where the course offers it,
and any epsilon of a layer norm from 1e-12 to 1e-5.
"""

import itertools
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

import torch
from torch import Tensor, nn
from torch.func import functional_call

from graders.check_api.check import Module
from graders.check_api.compare import Target, agree, exactly, require, rounding, target, tensor
from graders.check_api.strategies.module_inputs import Given
from graders.check_api.strategies.tensors import normal, weights
from graders.language import tr

Activation = Callable[[], nn.Module]
Dress = Callable[[nn.Module], nn.Module]
GELUS: tuple[Activation, ...] = (nn.GELU, lambda: nn.GELU(approximate="tanh"))
WITH_RELU: tuple[Activation, ...] = (*GELUS, nn.ReLU)
LEAST_EPS, MOST_EPS = 1e-12, 1e-5  # of a layer norm: all between are accepted


@dataclass(frozen=True, eq=False)
class ReferenceAnswer:
    """What the reference answers: per output, and per gradient by name, the accepted targets.

    `gradients` are those of sum(one output * upstream), mostly the first, for the parameters and, where it is
    not whole numbers, for the first argument. `kept` are the positions that count, or None for all.
    """

    draw: Given
    parameters: dict[str, Tensor]
    upstream: Tensor
    outputs: tuple[tuple[Target, ...], ...]
    gradients: dict[str, tuple[Target, ...]]
    input_gradient: tuple[Target, ...] = ()

    def agree(self, actual: Any, output: int = 0, what: str | None = None) -> None:
        """Require the reference's output, at the positions that count.

        Raises:
            Violation: it is not a tensor, has another shape, or other values.
        """
        accepted, kept = self.outputs[output], self.draw.kept
        if kept is not None and tensor(actual, what).shape == accepted[0].exact.shape:
            # What stands at padding is nobody's business, so it is made the same on all sides.
            over, filler = _over(kept, actual), accepted[0].exact
            actual = torch.where(over, actual, filler.to(actual.dtype))
            accepted = tuple(Target(torch.where(over, t.exact, filler), t.tolerance) for t in accepted)
        agree(actual, *accepted, what=what)

    def agree_gradients(self, module: Module, place: int = 0) -> None:
        """Require the reference's gradient for every parameter and for the input.

        Args:
            module: the student's, with the reference's parameters.
            place: where the output stands among what the module answers with.

        Raises:
            Violation: one is missing or has other values.
        """
        found = module.gradients(*self.draw.arguments, upstream=[*[None] * place, self.upstream])
        if self.input_gradient:
            _taught(next(iter(found.inputs), None), self.input_gradient, "x")
        ways = [
            dict(zip(self.gradients, way, strict=True)) for way in zip(*self.gradients.values(), strict=True)
        ]
        renamed = [_renamed(module, way) for way in ways]
        for name in renamed[0]:
            _taught(found.parameters.get(name), tuple(way[name] for way in renamed), name)


def reference_answer(
    draw: Given,
    reference: Any,
    activations: Sequence[Activation] = WITH_RELU,
    adapt: Callable[[Any], None] | None = None,
) -> ReferenceAnswer:
    """The reference's outputs for `draw`, in every equally right variant.

    Args:
        draw: configuration, arguments and seed; its dtype is that of the whole comparison.
        reference: the reference's class.
        activations: what may stand where the reference has GELU.
        adapt: changes a new module, to make another right one of it.
    """
    return _twin(draw, reference, activations, adapt, slopes=False)


def reference_answer_with_gradients(
    draw: Given,
    reference: Any,
    activations: Sequence[Activation] = WITH_RELU,
    adapt: Callable[[Any], None] | None = None,
    place: int = 0,
) -> ReferenceAnswer:
    """The same with the reference's gradients, of its output at `place`."""
    return _twin(draw, reference, activations, adapt, slopes=True, place=place)


def apply_variant(
    model: nn.Module, activation: Activation | None = None, eps: float | None = None
) -> nn.Module:
    """The module, changed: this activation for every GELU, this epsilon for every accepted one."""
    for name, part in list(model.named_modules()):
        if activation is not None and isinstance(part, nn.GELU):
            model.set_submodule(name, activation())
        if eps is not None and isinstance(part, nn.LayerNorm) and part.eps <= MOST_EPS:
            part.eps = eps
    return model


def accepted_variants(model: nn.Module, activations: Sequence[Activation] = WITH_RELU) -> list[Dress]:
    """What `apply_variant` may change so that another right module, or one as wrong, comes of it."""
    norms = [part.eps for part in model.modules() if isinstance(part, nn.LayerNorm)]
    gelu = any(isinstance(part, nn.GELU) for part in model.modules())
    others = activations[1:] if gelu else ()
    epsilons = [MOST_EPS if min(norms) < MOST_EPS else LEAST_EPS] if norms else []
    pairs = itertools.product((None, *others), (None, *epsilons))
    return [partial(apply_variant, activation=a, eps=e) for a, e in pairs if a or e]


def _twin(
    draw: Given,
    reference: Any,
    activations: Sequence[Activation],
    adapt: Callable[[Any], None] | None,
    slopes: bool,
    place: int = 0,
) -> ReferenceAnswer:
    model = reference(**draw.config).eval()
    if adapt is not None:
        adapt(model)
    named = weights({n: tuple(p.shape) for n, p in model.named_parameters()}, draw.seed, dtype=draw.dtype)
    answer = _Answer(list(named), draw.arguments)
    inputs = [*named.values(), *answer.floats]
    outputs = answer(model)(*inputs)
    upstream = _upstream(draw, outputs[place])
    answer = _Answer(list(named), draw.arguments, upstream if slopes else None, place)
    # An activation more or less, or another epsilon, does not change rounding much.
    errors = rounding(answer(model), inputs, one_scale=slopes)
    found = []
    for variant in _variants(apply_variant(model, eps=MOST_EPS), activations):
        exact = exactly(answer(variant), inputs)
        twins = zip(*(exactly(answer(other), inputs) for other in _one_by_one(variant)), strict=True)
        found.append(
            [target(*parts) for parts in zip(exact, errors, list(twins) or [()] * len(exact), strict=True)]
        )
    accepted = list(zip(*found, strict=True))
    gradients = dict(zip(named, accepted[len(outputs) :], strict=False))
    of_input = accepted[len(outputs) + len(named)] if slopes and answer.floats else ()
    return ReferenceAnswer(draw, named, upstream, tuple(accepted[: len(outputs)]), gradients, of_input)


def _variants(model: nn.Module, activations: Sequence[Activation]) -> Iterator[nn.Module]:
    """The module with each activation in the place of its GELUs; it is the same each time."""
    places = [name for name, part in model.named_modules() if isinstance(part, nn.GELU)]
    for activation in activations if places else activations[:1]:
        for place in places:
            model.set_submodule(place, activation())
        yield model


def _one_by_one(model: nn.Module) -> Iterator[nn.Module]:
    """The module with the least epsilon in one layer norm, for each of them; it is the same each time."""
    for part in model.modules():
        if isinstance(part, nn.LayerNorm) and part.eps <= MOST_EPS:
            before, part.eps = part.eps, LEAST_EPS
            yield model
            part.eps = before


@dataclass(frozen=True, eq=False)
class _Answer:
    """A function of all parameters and float arguments: all outputs, then with `upstream` all gradients."""

    names: list[str]
    arguments: list[Any]
    upstream: Tensor | None = None
    place: int = 0

    @property
    def floats(self) -> list[Tensor]:
        return [a for a in self.arguments if a is not None and a.is_floating_point()]

    def __call__(self, model: nn.Module) -> Callable[..., Sequence[Tensor]]:
        return partial(self._computed, model)

    def _computed(self, model: nn.Module, *inputs: Tensor) -> list[Tensor]:
        leaves = [value.clone().requires_grad_(self.upstream is not None) for value in inputs]
        floats = iter(leaves[len(self.names) :])
        given = [next(floats) if a is not None and a.is_floating_point() else a for a in self.arguments]
        answer = functional_call(model, dict(zip(self.names, leaves, strict=False)), tuple(given))
        outputs = list(answer) if isinstance(answer, tuple) else [answer]
        if self.upstream is None:
            return [value.detach() for value in outputs]
        loss = (outputs[self.place] * self.upstream.to(outputs[self.place].dtype)).sum()
        gradients = torch.autograd.grad(loss, leaves, materialize_grads=True)
        return [value.detach() for value in (*outputs, *gradients)]


def _upstream(draw: Given, output: Tensor) -> Tensor:
    upstream = normal(*output.shape, seed=draw.seed + 7, dtype=output.dtype)
    return upstream if draw.kept is None else upstream * _over(draw.kept, upstream)


def _over(kept: Tensor, values: Tensor) -> Tensor:
    return kept.reshape(*kept.shape, *[1] * (values.dim() - kept.dim())).expand(values.shape)


def _renamed(module: Module, way: Mapping[str, Target]) -> dict[str, Target]:
    """Targets by the student's names. Where several parameters are kept in one, so are their gradients."""
    values = module.taken({name: t.exact for name, t in way.items()})
    greatest = max((t.tolerance for t in way.values()), default=0.0)
    return {n: Target(v, way[n].tolerance if n in way else greatest) for n, v in values.items()}


def _taught(gradient: Tensor | None, accepted: tuple[Target, ...], name: str) -> None:
    require(
        gradient is not None,
        tr("no gradient reaches {name}: is something detached or never used?", name=name),
    )
    agree(gradient, *accepted, what=tr("the gradient of {name}", name=name))
