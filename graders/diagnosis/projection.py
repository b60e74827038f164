"""Projections of a tensor on random directions: a few numbers that tell it from every other in practice."""

import math
from dataclasses import dataclass
from functools import cache

import torch
from torch import Tensor

FEW = 24  # values: a smaller tensor is kept itself
DIRECTIONS = 4


@dataclass(frozen=True)
class Projection:
    """What is kept of a tensor of float64.

    Attributes:
        shape: its own.
        finite: how many of its values are finite.
        largest: the largest of these.
        along: the sums of these along random directions of signs.
    """

    shape: tuple[int, ...]
    finite: int
    largest: float
    along: tuple[float, ...]

    def fits(self, tensor: Tensor, tolerance: float) -> bool:
        """Whether a tensor has this projection, if each of its values is so close."""
        if self == ANY:
            return True
        other = project(tensor.double())
        if not isinstance(other, Projection) or (self.shape, self.finite) != (other.shape, other.finite):
            return False
        bound = 2 * tolerance * max(self.largest, 1e-3) * math.prod(self.shape)
        return all(abs(a - b) <= bound for a, b in zip(self.along, other.along, strict=True))


ANY = Projection((), 0, 0.0, ())  # of any tensor


def project(tensor: Tensor) -> Tensor | Projection:
    """The projection of a tensor; the tensor itself where it is small or not of float64."""
    if tensor.numel() <= FEW or tensor.dtype != torch.float64:
        return tensor
    values = tensor.detach().reshape(-1)
    finite = torch.isfinite(values)
    values = torch.where(finite, values, torch.zeros(()).double())
    return Projection(tuple(tensor.shape), int(finite.sum()), float(values.abs().max()), sums_along(values))


def sums_along(values: Tensor) -> tuple[float, ...]:
    """The sums of values (n) of float64 along random directions of signs, the same for every n."""
    # No product of matrices, whose threads a forked process may wait for.
    return tuple((_signs(values.numel()) * values).sum(1).tolist())


@cache
def _signs(count: int) -> Tensor:
    generator = torch.Generator().manual_seed(count)
    return torch.randint(2, (DIRECTIONS, count), generator=generator).double() * 2 - 1
