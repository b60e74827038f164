"""Probes: the answer and all gradients where every parameter of a class has the same value.

Under such values the answer does not depend on which parameter has which role, so that a right module gives
exactly the reference's, whatever its names. Its gradients do depend on the role: each is the reference's
gradient for the parameter that it holds. One call therefore tells all roles at once.

Square matrices are symmetric, so that x @ W and x @ W.T are the same. Biases are zero, so that missing ones
and those too many change nothing. Gains of norms are one.
"""

import math
import zlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

import torch
from torch import Tensor, nn
from torch.func import functional_call

from graders.candidate.parameter_mapping.mapping import ParameterMapping, Shapes
from graders.candidate.parameter_mapping.patterns import full_names
from graders.candidate.parameter_mapping.structure import Kind, RoleClass
from graders.check_api.candidate import Gradients, Raised
from graders.check_api.check import Violation
from graders.check_api.compare import in_form_of
from graders.check_api.properties import first_tensor
from graders.check_api.reference_answer import ReferenceAnswer
from graders.check_api.strategies.tensors import normal

GAIN = 0.7  # of the matrices: no softmax saturates
SAME = 1e-3  # relative difference of two answers that are the same up to the epsilons of norms


class Probed(Protocol):
    """What a search does with a student's module."""

    def __call__(self, *args: Any) -> Any:
        """The answer. Raises `Raised` when the code raises."""

    def load(self, parameters: Mapping[str, Tensor]) -> Any:
        """Set parameters by name."""

    def gradients(self, *args: Any, upstream: Sequence[Tensor | None]) -> Gradients:
        """The gradients for the outputs' gradients `upstream`."""


@dataclass(frozen=True)
class Probe:
    """An answer, and for each parameter (a pattern) its gradient in every layer: (layers, *shape).

    With a gradient per head, the shape begins with the heads. None where no gradient arrives.
    """

    answer: Tensor
    gradients: Mapping[str, Tensor | None]

    def same_answer(self, other: "Probe") -> bool:
        """Whether both give the same answer, up to the epsilons of norms."""
        if self.answer.shape != other.answer.shape:
            return False
        difference = (self.answer - other.answer).double().norm()
        return bool(difference <= SAME * other.answer.double().norm())


def equal_values(roles: Mapping[str, RoleClass], layers: int, seed: int) -> dict[str, Tensor]:
    """A value for each parameter of the reference, by its full name: the same within a class."""
    values = {}
    for pattern, role in roles.items():
        value = _value(role, seed)
        for names in full_names(pattern, 1, layers):
            values[names[0]] = value
    return values


def copies_of(arguments: Sequence[Any]) -> tuple[Any, ...]:
    """The arguments of a call, tensors copied: some known mistakes change their input in place."""
    return tuple(a.clone() if isinstance(a, Tensor) else a for a in arguments)


def place_of(answer: Any, shape: Sequence[int]) -> int:
    """The place of the output in an answer of several values: of the first tensor of this shape, else 0."""
    values = answer if isinstance(answer, tuple | list) else []
    places = (n for n, v in enumerate(values) if isinstance(v, Tensor) and tuple(v.shape) == tuple(shape))
    return next(places, 0)


def tensor_at(answer: Any, place: int) -> Tensor:
    """The output in an answer.

    Raises:
        Violation: it is no tensor.
    """
    has_place = isinstance(answer, tuple | list) and len(answer) > place
    part = answer[place] if has_place else answer
    return first_tensor((part,) if has_place and isinstance(part, list) else part)


def probe_reference(
    model: nn.Module,
    values: Mapping[str, Tensor],
    answer: ReferenceAnswer,
    roles: Mapping[str, RoleClass],
    layers: int,
) -> Probe:
    """The probe of a model of ours: the reference, a variant of it, or a known mistake.

    Raises:
        Exception: the model refuses the call, as some mistakes do.
    """
    leaves = {name: value.clone().requires_grad_() for name, value in values.items()}
    result = functional_call(model.double(), leaves, copies_of(answer.draw.arguments))
    output = result[0] if isinstance(result, tuple | list) else result
    if output.shape != answer.upstream.shape or not output.requires_grad:
        return Probe(output.detach(), {})
    loss = (output * answer.upstream.to(output.dtype)).sum()
    gradients = torch.autograd.grad(loss, list(leaves.values()), materialize_grads=True)
    return Probe(output.detach(), _by_pattern(dict(zip(leaves, gradients, strict=True)), roles, 1, layers))


def probe_student(
    module: Probed,
    mapping: ParameterMapping,
    values: Mapping[str, Tensor],
    shapes: Shapes,
    answer: ReferenceAnswer,
    heads: int,
    layers: int,
    place: int = 0,
) -> Probe | None:
    """The probe of the student's module, loaded by `mapping`; None where it gives no answer.

    `place` is that of the output in its answer.
    """
    loaded = mapping.apply(values, shapes, heads)
    try:
        module.load({**loaded, **mapping.neutral_values(shapes)})
        gradients = _gradients(module, answer, place)
        output = in_due_form(tensor_at(gradients.answer, place), answer)
    except (Raised, Violation):
        return None
    if not bool(torch.isfinite(output).all()):
        return None
    patterns = [rule.name for rule in mapping.rules] + list(mapping.extra)
    return Probe(output.detach(), _by_pattern(gradients.parameters, patterns, heads, layers))


def in_due_form(output: Tensor, answer: ReferenceAnswer) -> Tensor:
    """An output in the form of the reference's: another check is about axes of size 1, or two exchanged."""
    formed = in_form_of(output, answer.upstream.shape)
    return output if formed is None else formed


def _gradients(module: Probed, answer: ReferenceAnswer, place: int) -> Gradients:
    arguments, before = answer.draw.arguments, [None] * place
    try:
        return module.gradients(*arguments, upstream=[*before, answer.upstream])
    except Raised:
        upstream = in_form_of(answer.upstream, tensor_at(module(*arguments), place).shape)
        if upstream is None:
            raise
        return module.gradients(*arguments, upstream=[*before, upstream])


def _value(role: RoleClass, seed: int) -> Tensor:
    if role.kind is Kind.BIAS:
        return torch.zeros(role.shape, dtype=torch.float64)
    if role.kind is Kind.GAIN:
        return torch.ones(role.shape, dtype=torch.float64)
    value = normal(
        *role.shape, seed=seed * 1_000_003 + zlib.crc32(str(role.shape).encode()), dtype=torch.float64
    )
    if len(role.shape) == 2 and role.shape[0] == role.shape[1]:
        value = (value + value.T) / math.sqrt(2)
    return value * GAIN / math.sqrt(role.shape[-1])


def _by_pattern(
    gradients: Mapping[str, Tensor | None],
    patterns: Mapping[str, object] | Sequence[str],
    heads: int,
    layers: int,
) -> dict[str, Tensor | None]:
    result: dict[str, Tensor | None] = {}
    for pattern in patterns:
        by_layer = [
            _of_heads(gradients, names, "#" in pattern) for names in full_names(pattern, heads, layers)
        ]
        present = [gradient for gradient in by_layer if gradient is not None]
        result[pattern] = torch.stack(present).double() if len(present) == len(by_layer) else None
    return result


def _of_heads(gradients: Mapping[str, Tensor | None], names: list[str], of_heads: bool) -> Tensor | None:
    parts = [gradients.get(name) for name in names]
    present = [part for part in parts if isinstance(part, torch.Tensor) and bool(torch.isfinite(part).all())]
    if len(present) < len(parts):
        return None
    return torch.stack(present) if of_heads else present[0]
