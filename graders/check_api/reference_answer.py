"""The reference's answer under random weights: a student's module with the same weights should give the same.

Several equally right variants are accepted: GELU exact or by tanh, ReLU where the course allows it, and any
epsilon of a layer norm from 1e-12 to 1e-5.
"""

from collections.abc import Callable, Iterator, Mapping, MutableMapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any

import torch
from torch import Tensor, nn

from graders.check_api.compare import Violation, agree, tensor
from graders.check_api.kept_values import KeptAnswer, Shelf, find_or_make, kept_answers
from graders.check_api.quick_linear import quick_linear
from graders.check_api.reference_values import ModuleFunction, ReferenceValues
from graders.check_api.strategies.module_inputs import Given
from graders.check_api.strategies.tensors import normal, weights
from graders.check_api.target import Target
from graders.check_api.variants import (
    MOST_EPS,
    WITH_RELU,
    Activation,
    apply_variant,
    each_activation,
)

UNIT = Target(torch.zeros(()), 1.0)

LATER = {"read_later": True}  # of a field that a key unpacks when it is first used
LEFT_OUT = {"left_out": True}  # of one that a key does not have


@dataclass(frozen=True, eq=False)
class ReferenceAnswer:
    """The accepted targets for each output of the reference and for each gradient.

    Attributes:
        draw: configuration, arguments and seed; only the positions in `draw.kept` are compared.
        parameters: the reference's parameters by name.
        upstream: the gradient of the loss for one output, mostly the first: loss = sum(output * upstream).
        outputs: the accepted targets of each output.
        gradients: the accepted targets of the loss's gradient for each parameter, by name.
        input_gradient: the same for the first argument; empty where that is not of floating point.
        recipe: how it was computed; None for parameters alone.
    """

    draw: Given
    parameters: dict[str, Tensor]
    upstream: Tensor
    outputs: tuple[tuple[Target, ...], ...]
    gradients: dict[str, tuple[Target, ...]]
    input_gradient: tuple[Target, ...] = ()
    recipe: "Recipe | None" = None
    # A key reads them later: they are half of it, and hardly any code lacks a bias.
    _without: MutableMapping[frozenset[str], "ReferenceAnswer"] = field(default_factory=dict, metadata=LATER)
    _absent: list[frozenset[str]] = field(default_factory=list)

    def without(self, absent: frozenset[str]) -> "ReferenceAnswer":
        """The answer where these parameters of the reference are zero, computed once for all submissions."""
        if not absent or self.recipe is None:
            return self
        if absent not in self._without:
            self._without[absent] = self.recipe.answer(self.draw, absent)
        return self._without[absent]

    def judge_without(self, absent: frozenset[str]) -> "ReferenceAnswer":
        """Until the next call, compare with the answer where these parameters are zero.

        A module that lacks biases is compared so. Whoever loads parameters into a module calls this first.
        """
        self._absent[:] = [absent]
        return self.compared

    @property
    def absent(self) -> frozenset[str]:
        """The parameters without which the answer is compared."""
        return self._absent[0] if self._absent else frozenset()

    @property
    def compared(self) -> "ReferenceAnswer":
        """The answer that is compared with: where parameters are absent, that without them."""
        return self.without(self._absent[0]) if self._absent else self

    def agree(self, actual: Any, output: int = 0, value_name: str | None = None) -> None:
        """Require the reference's output, at the positions that are compared.

        Raises:
            Violation: it is not a tensor, has another shape, or other values.
        """
        accepted, kept = self.compared.outputs[output], self.draw.kept
        if kept is not None and tensor(actual, value_name).shape == accepted[0].exact.shape:
            # Outputs at padding are not compared: they are replaced by the same values everywhere.
            where, filler = _broadcast(kept, actual), accepted[0].exact
            actual = torch.where(where, actual, filler.to(actual.dtype))
            accepted = tuple(t.with_values(lambda exact: torch.where(where, exact, filler)) for t in accepted)
        agree(actual, *accepted, value_name=value_name)

    def accepts(self, actual: Any, output: int = 0) -> bool:
        """Whether `agree` holds."""
        try:
            self.agree(actual, output)
        except Violation:
            return False
        return True


@dataclass(frozen=True)
class Recipe:
    """How the reference's answers are computed.

    Attributes:
        reference: the reference's class.
        activations: those accepted in the place of its GELU.
        adapt: changes a new module in place, into another right one.
        with_gradients: whether the gradients for the output at index `place` are computed too.
        place: the index of that output.
        unit: its tolerance is the factor on all tolerances, 1 unless they were widened.
        mistakes: gives the classes of the known mistakes, by name.
        stored: in an answer key, what a search for a mapping of parameters asks, by the name of the layout.
        shelf: where what is measured is kept from run to run; None for nowhere.
    """

    reference: Any
    activations: Sequence[Activation] = WITH_RELU
    adapt: Callable[[Any], None] | None = None
    with_gradients: bool = False
    place: int = 0
    unit: Target = UNIT
    mistakes: Callable[[], Mapping[str, Any]] = dict
    stored: Mapping[str, Any] | None = None
    shelf: Shelf | None = field(default=None, metadata=LEFT_OUT)

    def model(self, config: Mapping[str, Any]) -> nn.Module:
        """A new module of the reference's, in evaluation mode."""
        with quick_linear():
            model: nn.Module = self.reference(**config).eval()
        if self.adapt is not None:
            self.adapt(model)
        return model

    def models(self, config: Mapping[str, Any]) -> Iterator[nn.Module]:
        """A module with each accepted activation. It is changed in place: use it at once."""
        return each_activation(apply_variant(self.model(config), eps=MOST_EPS), self.activations)

    def answer(self, draw: Given, absent: frozenset[str] = frozenset()) -> ReferenceAnswer:
        """The outputs for `draw`, for every equally right variant; parameters in `absent` are zero.

        The gradients of absent parameters are left out.
        """
        kept, about = kept_answers(), self._describe(draw, absent)
        found = None if kept is None else kept.take(about)
        if found is None:
            found = self._compute(draw, absent, about)
            if kept is not None:
                kept.add(found)
        return self._answer_of(found, draw, absent)

    def _compute(self, draw: Given, absent: frozenset[str], about: str) -> KeptAnswer:
        model = self.model(draw.config)
        shapes = {n: tuple(p.shape) for n, p in model.named_parameters()}
        inputs = [*_named(shapes, draw, absent).values(), *_floats(draw)]
        upstream = None
        if self.with_gradients:
            upstream = _upstream(draw, ModuleFunction(model, draw.arguments)(*inputs)[self.place])
        exact, variants = self._values(draw, inputs, upstream, about).compute()
        return KeptAnswer(about, shapes, variants, exact, upstream)

    def _answer_of(self, found: KeptAnswer, draw: Given, absent: frozenset[str]) -> ReferenceAnswer:
        named, floats, upstream = _named(found.shapes, draw, absent), _floats(draw), found.upstream
        inputs = [*named.values(), *floats]
        values = self._values(draw, inputs, upstream, found.about).accept(found.exact, found.variants)
        outputs = values[: len(values) - len(inputs)] if self.with_gradients else values
        gradients = dict(zip(named, values[len(outputs) :], strict=False))
        kept = {name: targets for name, targets in gradients.items() if name not in absent}
        of_input = values[len(outputs) + len(named)] if self.with_gradients and floats else ()
        if upstream is None:
            upstream = _upstream(draw, outputs[self.place][0].exact.to(draw.dtype))
        return ReferenceAnswer(draw, named, upstream, tuple(outputs), kept, of_input, self)

    def _values(
        self, draw: Given, inputs: list[Tensor], upstream: Tensor | None, about: str
    ) -> ReferenceValues:
        return ReferenceValues(
            make=partial(self.model, draw.config),
            arguments=draw.arguments,
            inputs=inputs,
            activations=self.activations,
            upstream=upstream,
            place=self.place,
            times=self.unit.tolerance,
            known=partial(find_or_make, self.shelf, about, (*draw.arguments, draw.kept)),
        )

    def _describe(self, draw: Given, absent: frozenset[str]) -> str:
        """What tells an answer from all others of the same code, but for the values of its arguments."""
        functions = [f for f in (self.reference, self.adapt, *self.activations) if f is not None]
        names = [(getattr(f, "__module__", ""), getattr(f, "__qualname__", "")) for f in functions]
        of_draw = draw.config, draw.seed, draw.dtype, sorted(absent)
        return repr((names, *of_draw, self.with_gradients, self.place, self.unit.tolerance))


def _named(shapes: Mapping[str, tuple[int, ...]], draw: Given, absent: frozenset[str]) -> dict[str, Tensor]:
    drawn = weights(shapes, draw.seed, dtype=draw.dtype)
    return {n: torch.zeros_like(v) if n in absent else v for n, v in drawn.items()}


def _floats(draw: Given) -> list[Tensor]:
    return [a for a in draw.arguments if isinstance(a, Tensor) and a.is_floating_point()]


def reference_answer(
    draw: Given,
    reference: Any,
    activations: Sequence[Activation] = WITH_RELU,
    adapt: Callable[[Any], None] | None = None,
) -> ReferenceAnswer:
    """The reference's outputs for `draw`, for every equally right variant.

    Args:
        draw: configuration, arguments and seed; everything is compared in its dtype.
        reference: the reference's class.
        activations: the activations accepted in the place of the reference's GELU.
        adapt: changes a new module in place, into another right one.
    """
    return Recipe(reference, activations, adapt, shelf=_shelf()).answer(draw)


def reference_answer_with_gradients(
    draw: Given,
    reference: Any,
    activations: Sequence[Activation] = WITH_RELU,
    adapt: Callable[[Any], None] | None = None,
    place: int = 0,
) -> ReferenceAnswer:
    """As `reference_answer`, with the gradients for the output at index `place`."""
    recipe = Recipe(reference, activations, adapt, with_gradients=True, place=place, shelf=_shelf())
    return recipe.answer(draw)


def _shelf() -> Shelf | None:
    kept = kept_answers()
    return None if kept is None else kept.shelf


def _upstream(draw: Given, output: Tensor) -> Tensor:
    upstream = normal(*output.shape, seed=draw.seed + 7, dtype=output.dtype)
    return upstream if draw.kept is None else upstream * _broadcast(draw.kept, upstream)


def _broadcast(kept: Tensor, values: Tensor) -> Tensor:
    return kept.reshape(*kept.shape, *[1] * (values.dim() - kept.dim())).expand(values.shape)
