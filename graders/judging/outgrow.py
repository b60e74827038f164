"""Tell code that grows faster with its input than the reference does under any parameters.

Two layers with a ReLU or a GELU between them grow as their input does, far from zero, and so do products of
matrices in the place of one: a gate, which multiplies two layers, grows as the square. To see that, no
parameters need to be matched.
"""

from typing import Any

import torch

from graders.candidate.remote_candidate import RemoteCandidate
from graders.check_api.candidate import Raised
from graders.check_api.compare import Violation
from graders.check_api.properties import first_tensor

FAR = 1e4  # times the input, from where on a GELU is a ReLU
LINEAR, SQUARE = 2.0, 4.0  # how much larger the step is from twice to four times the input than to twice


def outgrows(candidate: RemoteCandidate, draw: Any) -> bool:
    """Whether the answer grows faster than the input, far from zero; False where the code raises.

    Args:
        candidate: a module that is loaded.
        draw: one of float64, whose first argument grows.
    """
    try:
        module = candidate.with_random_weights(draw.seed, **draw.config).to(torch.float64)
        near, twice, four_times = (first_tensor(module(draw.arguments[0] * FAR * n)) for n in (1, 2, 4))
    except (Raised, Violation):
        return False
    first, second = (float((b - a).double().norm()) for a, b in ((near, twice), (twice, four_times)))
    return first > 0 and second / first > (LINEAR + SQUARE) / 2
