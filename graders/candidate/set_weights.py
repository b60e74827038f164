"""Give a module its weights: mild ones of a seed, or the reference's, whatever its parameters are called."""

import math
from functools import partial

import torch

from graders.candidate.parameter_mapping.mapper import ParameterMapper
from graders.candidate.parameter_mapping.mapping import Shapes
from graders.check_api.check import Module, Violation
from graders.check_api.reference_answer import ReferenceAnswer
from graders.check_api.strategies.tensors import MILD, weights
from graders.language import number, tr

PARAMETERS = 4_000_000  # of one module of a check; the largest here have some thousands


def load_random_weights(module: Module, seed: int) -> Module:
    """The module with mild parameters of a seed; what is not to be learned, as a mask, stays as it is.

    Raises:
        Violation: it has far more parameters than any module here should have.
    """
    learned = {name: shape for name, shape in _bounded(module).items() if name not in module.frozen}
    return module.load(weights(learned, seed, MILD))


def load_reference_weights(module: Module, naming: ParameterMapper, twin: ReferenceAnswer) -> Module:
    """The module with the reference's parameters and dtype.

    Raises:
        Violation: parameters are missing or have other shapes, or there are far more than there should be.
        Undecidable: they cannot be matched with the reference's.
    """
    module.taken = partial(naming.taken, shapes=_bounded(module), config=twin.draw.config)
    dtype = twin.draw.dtype
    return module.load(module.taken(twin.parameters), None if dtype is torch.float32 else dtype)


def _bounded(module: Module) -> Shapes:
    shapes = module.shapes()
    count = sum(math.prod(shape) for shape in shapes.values())
    if count > PARAMETERS:
        raise Violation(
            tr("it has {count} parameters, far more than its sizes ask for", count=number(count, ","))
        )
    return shapes
