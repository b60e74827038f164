"""A short training with our own Adam: importing torch.optim for the first time takes more than a second."""

from collections.abc import Sequence
from typing import Any

import torch

MOMENTA = (0.9, 0.999)
EPS = 1e-8


def train_steps(module: torch.nn.Module, args: Sequence[Any], steps: int, rate: float) -> None:
    """Train a module on one batch, then put it into evaluation mode (Kingma and Ba, Adam, algorithm 1).

    Args:
        module: answers `module(*args)` with a pair whose second element is the loss.
        args: the batch.
        steps: how many steps are taken.
        rate: the learning rate.

    Raises:
        TypeError: the module answers with something else.
    """
    learned = [p for p in module.parameters() if p.requires_grad]
    means, squares = ([torch.zeros_like(p) for p in learned] for _ in MOMENTA)
    module.train()
    for step in range(1, steps + 1):
        gradients = torch.autograd.grad(_loss(module(*args)), learned, allow_unused=True)
        with torch.no_grad():
            for parameter, gradient, mean, square in zip(learned, gradients, means, squares, strict=True):
                if gradient is not None:
                    mean.lerp_(gradient, 1 - MOMENTA[0])
                    square.lerp_(gradient * gradient, 1 - MOMENTA[1])
                    scale = (square / (1 - MOMENTA[1] ** step)).sqrt_().add_(EPS)
                    parameter.addcdiv_(mean, scale, value=-rate / (1 - MOMENTA[0] ** step))
    module.eval()


def _loss(answer: Any) -> torch.Tensor:
    if isinstance(answer, (tuple, list)) and len(answer) == 2 and isinstance(answer[1], torch.Tensor):
        return answer[1]
    raise TypeError({"says": "no_loss"})
