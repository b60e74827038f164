"""Tell code that answers in a way that no parameters of two layers give, although none can be matched.

A ReLU or a GELU a has a(z) - a(-z) = z. So without biases two layers f(x) = W2 a(W1 x) have
f(x) - f(-x) = W2 W1 x, which is linear in x. That holds for a product of matrices in the place of one, too,
and neither for a gate, which multiplies two layers, nor for three layers.
"""

import math
from typing import Any

import torch

from graders.candidate.remote_candidate import RemoteCandidate
from graders.check_api.candidate import Raised
from graders.check_api.compare import Violation
from graders.check_api.properties import first_tensor
from graders.check_api.strategies.tensors import normal

FAR = 0.01  # of the sum that is due: far more than rounding in single precision


def cannot_be_two_layers(candidate: RemoteCandidate, draw: Any) -> bool:
    """Whether the answers are such as no two layers give; False where the code raises.

    Args:
        candidate: a module that is loaded.
        draw: one whose first argument is (..., E).
    """
    try:
        module = candidate.construct(**draw.config)
        frozen = module.frozen
        shapes = {name: shape for name, shape in module.shapes().items() if name not in frozen}
        module.load({n: _without_biases(s, draw.seed + at) for at, (n, s) in enumerate(shapes.items())})
        module = module.to(torch.float64)
        first = draw.arguments[0].double()
        second = first.flip(0) + first.square()
        odd = [first_tensor(module(x)) - first_tensor(module(-x)) for x in (first, second, first + second)]
    except (Raised, Violation):
        return False
    due = odd[0] + odd[1]
    return bool((odd[2] - due).norm() > FAR * due.norm())


def _without_biases(shape: tuple[int, ...], seed: int) -> torch.Tensor:
    """A parameter's values: zeros for a vector, whatever axes of size 1 it has."""
    is_vector = max(shape, default=1) == math.prod(shape)
    return torch.zeros(shape) if is_vector else normal(*shape, seed=seed)
