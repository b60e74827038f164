"""Are the gradients of a module with the reference's parameters the reference's?"""

import math
from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import cached_property
from typing import Any

import torch
from torch import Tensor

from graders.check_api.candidate import Candidate, Gradients, Module, Raised
from graders.check_api.compare import (
    OtherParameters,
    Violation,
    agree,
    alike,
    in_form_of,
    require,
    tensor,
)
from graders.check_api.properties import first_tensor
from graders.check_api.reference_answer import ReferenceAnswer
from graders.check_api.strategies.tensors import weights
from graders.check_api.target import LateTarget, Target
from graders.language import tr

STEPS = {torch.float32: 1e-2, torch.float64: 1e-4}  # of finite differences: rounding and curvature are small
ROUNDINGS = 16  # of a value: what an output's own rounding may be
LONGER = 4  # times the step, where the slope over it is not as the gradients say
SLOPE_TOLERANCE = 0.25  # relative; a false report agrees by chance in one draw of five, and there are many


def teaches(
    candidate: Candidate, answer: ReferenceAnswer, place: Callable[[Module], int] = lambda _: 0
) -> Module:
    """Require the reference's gradients, as `agree_gradients`; of a module with other parameters, some.

    Another check is about parameters that are not the reference's: there every parameter of the code's own,
    and the input, must get a gradient that is one.

    Args:
        candidate: the student's class.
        answer: the reference's, with gradients.
        place: the index of the output in a module's answer.

    Returns:
        The module that was asked.

    Raises:
        Violation: a gradient is missing, or has other values than it should.
    """
    draw = answer.draw
    try:
        module = candidate.with_reference_weights(answer)
    except OtherParameters:
        module = candidate.with_random_weights(draw.seed, **draw.config).to(draw.dtype)
        _require_own_gradients(answer, module, place(module))
    else:
        agree_gradients(answer, module, place(module))
    return module


def agree_gradients(answer: ReferenceAnswer, module: Module, place: int = 0) -> None:
    """Require the reference's gradient for every parameter and for the input, where the output is right.

    Another check is about an output that is not the reference's: there every parameter and the input must get
    some gradient.

    Args:
        answer: the reference's, with gradients.
        module: the student's, with the reference's parameters.
        place: the index of the output in the module's answer.

    Raises:
        Violation: a gradient is missing or has other values.
    """
    gradients, answer = _gradients_of(module, answer, place)
    try:
        _agree_all(answer.compared, module, gradients)
    except Violation:
        if answer.accepts(_element(gradients.answer, place), answer.recipe.place if answer.recipe else 0):
            raise
        _require_own(answer, module, gradients, place)


def _gradients_of(module: Module, answer: ReferenceAnswer, place: int) -> tuple[Gradients, ReferenceAnswer]:
    """The gradients of a module, and the answer with the gradient of the output in the form of the module's.

    Another check is about the form of an output: with an axis of size 1 more, or its first two exchanged.
    """
    arguments = answer.draw.arguments
    try:
        return module.gradients(*arguments, upstream=[*[None] * place, answer.upstream]), answer
    except Raised:
        upstream = in_form_of(answer.upstream, _element(module(*arguments), place).shape)
        if upstream is None:
            raise
        gradients = module.gradients(*arguments, upstream=[*[None] * place, upstream])
        return gradients, replace(answer, upstream=upstream)


def _require_own_gradients(answer: ReferenceAnswer, module: Module, place: int) -> None:
    """Require gradients of a module whose parameters are not the reference's."""
    gradients, answer = _gradients_of(module, answer, place)
    _require_own(answer, module, gradients, place)


def _require_own(answer: ReferenceAnswer, module: Module, gradients: Gradients, place: int) -> None:
    """Require gradients for all that the module has, which are those of its own answer."""
    output, again = _element(gradients.answer, place), _element(module(*answer.draw.arguments), place)
    # Otherwise code could give another answer where gradients are taken, which no check would see.
    alike(output.detach(), again.detach(), tr("the output where gradients are taken"))
    require_gradients(module, gradients, of_input=bool(answer.compared.input_gradient))
    _require_effect(module, answer, again.detach(), place)


def require_gradients(module: Module, gradients: Gradients, of_input: bool) -> None:
    """Require a finite gradient for every parameter that is trained, and for the input; one is not zero.

    Raises:
        Violation: one is missing.
    """
    frozen = module.frozen
    named = {name: gradients.parameters.get(name) for name in module.shapes() if name not in frozen}
    require(bool(named), tr("there is no parameter that could learn"))
    if of_input:
        named["x"] = next(iter(gradients.inputs), None)
    present = {name: _present(gradient, name) for name, gradient in named.items()}
    for name, gradient in present.items():
        finite = bool(torch.isfinite(gradient).all())
        require(finite, tr("the gradient of {name} has values that are no numbers", name=name))
    require(any(bool(gradient.any()) for gradient in present.values()), tr("all gradients are zero"))


def _require_effect(module: Module, answer: ReferenceAnswer, before: Tensor, place: int) -> None:
    """Require what a false report of gradients does not have: that the weights have an effect, and that one.

    The output must differ under other weights, and along a random direction it must change as the gradients
    there say. The module keeps other weights.
    """
    frozen = module.frozen
    learned = {name: shape for name, shape in module.shapes().items() if name not in frozen}
    dtype = before.dtype if before.is_floating_point() else torch.float32
    others = weights(learned, answer.draw.seed + 1, dtype=dtype)
    after = _element(module.load(others)(*answer.draw.arguments), place)
    message = tr("other weights give the same output: the layers are not used")
    require(not torch.equal(after.detach(), before), message)
    try:
        _require_slope(module, answer, others, place)
    except Violation:  # a kink, as that of a ReLU, may lie between the steps; elsewhere none does
        elsewhere = weights(learned, answer.draw.seed + 3, dtype=dtype)
        _require_slope(module, answer, elsewhere, place)


def _require_slope(module: Module, answer: ReferenceAnswer, at: Mapping[str, Tensor], place: int) -> None:
    """Require that outputs change as the gradients say, along a random direction, by finite differences."""
    arguments, upstream = answer.draw.arguments, answer.upstream
    direction = weights({name: tuple(value.shape) for name, value in at.items()}, answer.draw.seed + 2)
    gradients = module.gradients(*arguments, upstream=[*[None] * place, upstream]).parameters
    pairs = [(gradients.get(name), direction[name]) for name in at]
    there = [(gradient.double(), along.double()) for gradient, along in pairs if gradient is not None]
    claimed = sum(float((gradient * along).sum()) for gradient, along in there)
    usual = math.hypot(*(float((gradient * along).norm()) for gradient, along in there))

    def value(step: float) -> Tensor:
        moved = {name: (at[name] + step * direction[name]).to(at[name].dtype) for name in at}
        return _element(module.load(moved)(*arguments), place).detach().double() * upstream.double()

    def differs(step: float) -> tuple[float, float]:
        """The slope over a step, and how much it differs from the gradients beyond what may be."""
        ahead, behind = value(step), value(-step)
        slope = float((ahead - behind).sum()) / (2 * step)
        rounding = float(ahead.norm()) * torch.finfo(dtype).eps * ROUNDINGS / step
        return slope, abs(slope - claimed) - SLOPE_TOLERANCE * max(usual, abs(slope)) - rounding

    dtype = next(iter(at.values())).dtype
    step = STEPS.get(dtype, STEPS[torch.float32])
    slope, beyond = differs(step)
    if beyond > 0:
        # In half precision a short step shows rounding alone: then slopes over two steps differ as much.
        longer, beyond_longer = differs(LONGER * step)
        message = tr("the gradients are not those of the output: it changes otherwise when the weights do")
        require(min(beyond, beyond_longer) <= abs(slope - longer), message)


def _agree_all(answer: ReferenceAnswer, module: Module, gradients: Gradients) -> None:
    if answer.input_gradient:
        _agree(next(iter(gradients.inputs), None), answer.input_gradient, "x")
    variants = [
        _Renamed(module, dict(zip(answer.gradients, targets, strict=True)))
        for targets in zip(*answer.gradients.values(), strict=True)
    ]
    for name in variants[0].values:
        _agree(gradients.parameters.get(name), tuple(v.target(name) for v in variants), name)


class _Renamed:
    """Targets by the student's names. Where one parameter holds several, its gradient holds theirs."""

    def __init__(self, module: Module, targets: Mapping[str, Target]) -> None:
        self._module, self._targets = module, targets

    @cached_property
    def values(self) -> Mapping[str, Tensor]:
        """The exact gradients, by name."""
        return self._module.convert({name: t.exact for name, t in self._targets.items()})

    def target(self, name: str) -> Target:
        """The target of a gradient, computed when it is first needed."""
        own = self._targets.get(name)
        all_of_them = [own] if own else list(self._targets.values())
        return LateTarget(
            lambda: self.values[name],
            lambda: max(t.tolerance for t in all_of_them),
            lambda: max(t.least for t in all_of_them),
            lambda: max(t.single for t in all_of_them),
        )


def _agree(gradient: Tensor | None, accepted: tuple[Target, ...], name: str) -> None:
    agree(_present(gradient, name), *accepted, value_name=tr("the gradient of {name}", name=name))


def _present(gradient: Tensor | None, name: str) -> Tensor:
    require(
        gradient is not None,
        tr("no gradient reaches {name}: is something detached or never used?", name=name),
    )
    assert gradient is not None
    return gradient


def _element(answer: Any, place: int) -> Tensor:
    """The output that gradients are taken of."""
    is_part = isinstance(answer, tuple | list) and len(answer) > place
    part = answer[place] if is_part else answer
    return first_tensor((part,)) if is_part and isinstance(part, list) else tensor(part)
