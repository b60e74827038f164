"""Tell wrong code whose parameters cannot be matched: with all of them at one number, no match is needed.

A module may keep its parameters in one long vector, so that nothing shows which value has which role. With
all at one number its answer must be the reference's all the same, and so must the numbers among its
gradients, in whatever order they come. What passes may be right, or wrong in the order of heads, say.
"""

import itertools
import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

import torch
from torch import Tensor, nn

from graders.candidate.cast_draw import cast
from graders.candidate.parameter_mapping.mapping import Shapes, shapes_of
from graders.candidate.parameter_mapping.probe import SAME, copies_of, place_of, tensor_at
from graders.candidate.parameter_mapping.reference_models import LiveModels
from graders.check_api.candidate import Module, Raised
from graders.check_api.check import Violation
from graders.check_api.reference_answer import ReferenceAnswer
from graders.check_api.variants import LEAST_EPS, MOST_EPS, NORMS, apply_variant
from graders.language import number, tr

NUMBERS = (0.2, -0.15)  # no softmax saturates, and no ReLU hides both


@dataclass(frozen=True)
class _Due:
    """What a right module answers: the outputs with each epsilon of its norms, and the sorted gradients.

    The gradients are None where they depend on the epsilon, as where all columns of a norm's input are equal.
    """

    outputs: Sequence[Tensor]
    gradients: Tensor | None


def find_difference(module: Module, learned: Shapes, models: LiveModels) -> str | None:
    """How a module answers otherwise than the reference where all its parameters are one number; None if not.

    Args:
        module: the student's, in float64, of the configuration of the mapping draws.
        learned: the shapes of its parameters that are trained: together as many values as the reference has.
        models: the reference.
    """
    draws = [a for a in models.answers if not a.draw.masked and a.draw.kept is None]
    for value, answer in itertools.product(NUMBERS, draws):
        module.load({name: torch.full(shape, value) for name, shape in learned.items()})
        due = [*_due(models, answer, value)]
        shape = due[0].outputs[0].shape
        theirs = _theirs(module, answer, learned, shape) or _theirs_in_single(module, answer, learned, shape)
        near = [d for d in due if theirs and any(_alike(theirs[0], output) for output in d.outputs)]
        if theirs is None or not near:
            return _tell(value, tr("the output is another"))
        if not any(d.gradients is None or _alike(theirs[1], d.gradients) for d in near):
            return _tell(value, tr("the gradients are others, in whatever order they come"))
    return None


def _tell(value: float, what: str) -> str:
    return tr(
        "your parameters cannot be matched with the reference's. With all of them at {value}, so that it "
        "does not matter which is which, {what}",
        value=number(value, "g"),
        what=what,
    )


def _due(models: LiveModels, answer: ReferenceAnswer, value: float) -> Iterator[_Due]:
    """What each right variant answers; some code keeps the gain of a norm as what is added to one."""
    for model, more in itertools.product(models.recipe.models(models.config), (0.0, 1.0)):
        of_epsilons = [
            _ours(apply_variant(model, eps=eps).double(), answer, value, more)
            for eps in (MOST_EPS, LEAST_EPS)
        ]
        (first, gradients), (second, again) = of_epsilons
        yield _Due((first, second), gradients if _alike(again, gradients) else None)


def _ours(model: nn.Module, answer: ReferenceAnswer, value: float, more: float) -> tuple[Tensor, Tensor]:
    model.zero_grad()
    with torch.no_grad():
        for parameter in model.parameters():
            parameter.fill_(value)
        for part in model.modules():
            if isinstance(part, NORMS) and part.weight is not None:
                part.weight.add_(more)
    result = model(*copies_of(answer.draw.arguments))
    output = result[0] if isinstance(result, tuple | list) else result
    (output * answer.upstream.to(output.dtype)).sum().backward()
    named = dict(model.named_parameters())
    gradients = {name: parameter.grad for name, parameter in named.items()}
    return output.detach(), _sorted(gradients, shapes_of(named))


def _theirs(
    module: Module, answer: ReferenceAnswer, learned: Shapes, shape: Sequence[int]
) -> tuple[Tensor, Tensor] | None:
    """The student's output and sorted gradients; None where the code raises or gives another form."""
    try:
        place = place_of(module(*answer.draw.arguments), shape)
        upstream = [*[None] * place, answer.upstream]
        gradients = module.gradients(*answer.draw.arguments, upstream=upstream)
        output = tensor_at(gradients.answer, place).detach()
    except (Raised, Violation):
        return None
    return output, _sorted(gradients.parameters, learned)


def _theirs_in_single(
    module: Module, answer: ReferenceAnswer, learned: Shapes, shape: Sequence[int]
) -> tuple[Tensor, Tensor] | None:
    """The same in float32, for code that makes tensors of that dtype itself."""
    single = replace(answer, draw=cast(answer.draw, torch.float32), upstream=answer.upstream.float())
    theirs = _theirs(module.to(torch.float32), single, learned, shape)
    module.to(torch.float64)
    return theirs


def _sorted(gradients: Mapping[str, Tensor | None], shapes: Shapes) -> Tensor:
    """All values of the gradients by their size; zeros where none arrives."""
    found = (gradients.get(name) for name in shapes)
    values = [
        torch.zeros(math.prod(shape)) if gradient is None else gradient.detach().flatten()
        for gradient, shape in zip(found, shapes.values(), strict=True)
    ]
    return torch.cat([value.double() for value in values]).sort().values


def _alike(theirs: Tensor, ours: Tensor) -> bool:
    if theirs.shape != ours.shape:
        return False
    return bool((theirs.double() - ours.double()).norm() <= SAME * ours.double().norm())
