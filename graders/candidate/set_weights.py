"""Sets a module's weights: small random ones from a seed, or the reference's, whatever the names."""

import math
from functools import partial

import torch

from graders.candidate.parameter_mapping.mapper import ParameterMapper
from graders.candidate.parameter_mapping.mapping import Shape, Shapes, Undecidable
from graders.candidate.parameter_mapping.names import says_gain
from graders.check_api.candidate import Module, Raised
from graders.check_api.check import Violation
from graders.check_api.compare import shaped
from graders.check_api.properties import first_tensor
from graders.check_api.reference_answer import ReferenceAnswer
from graders.check_api.strategies.tensors import MILD, weights
from graders.language import number, tr

PARAMETERS = 8_000_000  # maximum in a module of a check: 32 MB; the largest references have 3 million


def load_random_weights(module: Module, seed: int) -> Module:
    """Give the module small random parameters from a seed; what is not trained, as a mask, stays as it is.

    They depend on where a parameter stands and on its shape, not on its name, which decides nothing.

    Raises:
        Violation: it has far more parameters than any reference.
    """
    shapes, frozen = _shapes_within_limit(module), module.frozen
    learned = [name for name in shapes if name not in frozen]
    plain = {name: _plain_name(place, name, shapes[name]) for place, name in enumerate(learned)}
    values = weights({plain[name]: shapes[name] for name in learned}, seed, MILD)
    return module.load({name: values[plain[name]] for name in learned})


def _plain_name(place: int, name: str, shape: Shape) -> str:
    """The name in whose place a parameter's own is: that of a weight, of a norm's gain too, or of a bias."""
    return f"{place}.{'weight' if len(shape) > 1 or says_gain(name) else 'bias'}"


def load_reference_weights(module: Module, mapper: ParameterMapper, answer: ReferenceAnswer) -> Module:
    """Give the module the reference's parameters and dtype.

    Raises:
        Violation: parameters are missing or have other shapes, or there are far more than there should be; or
            the answer has another shape than the reference's, whatever its parameters.
        Undecidable: they cannot be matched with the reference's.
        Raised: they cannot be matched, and the module does not even answer without further arguments.
    """
    shapes, frozen = _shapes_within_limit(module), module.frozen
    module.convert = partial(mapper.convert, shapes=shapes, config=answer.draw.config, frozen=frozen)
    dtype = answer.draw.dtype
    try:
        held = mapper.fit(answer, shapes, frozen)
    except Undecidable:
        _require_form(module, answer)
        raise
    return module.load(held, None if dtype is torch.float32 else dtype)


def _require_form(module: Module, answer: ReferenceAnswer) -> None:
    """Require an answer of the reference's shape, under the parameters that the module has."""
    arguments = answer.draw.arguments
    module = module.to(answer.draw.dtype)
    try:
        output = module(*arguments)
    except Raised:
        output = module(*arguments[:1])
    normalise = getattr(answer.draw, "normalise", None)
    output = first_tensor(normalise(output) if normalise else output)
    shaped(output, tuple(answer.outputs[0][0].exact.shape))


def _shapes_within_limit(module: Module) -> Shapes:
    shapes = module.shapes()
    count = sum(math.prod(shape) for shape in shapes.values())
    if count > PARAMETERS:
        raise Violation(
            tr("it has {count} parameters, far more than its sizes ask for", count=number(count, ","))
        )
    return shapes
