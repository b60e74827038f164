"""Give a module its weights: mild ones of a seed, or the reference's, whatever its parameters are called."""

import math
from functools import partial

import torch

from graders.check import Module, Violation
from graders.renaming.naming import Naming, shapes_of
from graders.tensors import MILD, weights
from graders.twin import Twin

PARAMETERS = 4_000_000  # of one module of a check; the largest here have some thousands


def mildly(module: Module, seed: int) -> Module:
    """The module in evaluation mode, with mild parameters of a seed.

    Raises:
        Violation: it has far more parameters than any module here should have.
    """
    shapes = shapes_of(module.parameters())
    count = sum(math.prod(shape) for shape in shapes.values())
    if count > PARAMETERS:
        raise Violation(f"it has {count:,} parameters, far more than its sizes ask for")
    return module.load(weights(shapes, seed, MILD)).train(False)


def alike(module: Module, naming: Naming, twin: Twin) -> Module:
    """The module in evaluation mode, with the reference's parameters and dtype.

    Raises:
        Violation: parameters are missing or have other shapes.
        Undecidable: they cannot be matched with the reference's.
    """
    shapes = shapes_of(module.parameters())
    module.taken = partial(naming.taken, shapes=shapes, config=twin.draw.config)
    values = module.taken(twin.parameters)
    if twin.draw.dtype is not torch.float32:
        module.to(twin.draw.dtype)
    return module.load(values).train(False)
