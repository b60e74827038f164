"""The shapes of arguments of which some are tuples of tensors, as a cache of keys and values is."""

from collections.abc import Sequence
from typing import Any

import torch


def flat_shapes(shapes: Sequence[Sequence[Any]]) -> list[tuple[int, ...]]:
    """The shapes of all tensors of some arguments, of which some are tuples of tensors."""
    return [tuple(one) for shape in shapes for one in (shape if _is_of_several(shape) else [shape])]


def as_arguments(values: Sequence[torch.Tensor], shapes: Sequence[Sequence[Any]]) -> list[Any]:
    """Tensors as the arguments of a call: those of several shapes in one place are a tuple."""
    waiting = iter(values)
    return [
        tuple(next(waiting) for _ in shape) if _is_of_several(shape) else next(waiting) for shape in shapes
    ]


def _is_of_several(shape: Sequence[Any]) -> bool:
    return bool(shape) and isinstance(shape[0], list | tuple)
