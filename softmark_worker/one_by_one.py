"""Calls code that has no batch axis for each sequence of a batch, and puts the answers together."""

import functools
import itertools
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import torch


def call_one_by_one(called: Callable[..., Any], axes: int) -> Callable[..., Any]:
    """What calls `called` for each entry of so many leading axes of the first argument; -2: of all but two.

    Other tensors that have as many axes as the first, or more, have these leading axes too, or a 1 in their
    place; all others, as a mask (Sq, Sk) beside vectors, are the same for all entries.
    """

    @functools.wraps(called)
    def call(*args: Any, **kwargs: Any) -> Any:
        first = args[0] if args else None
        if not isinstance(first, torch.Tensor) or not 0 < len(first.shape[:axes]) < first.dim():
            return called(*args, **kwargs)
        lead = first.shape[:axes]
        answers = [
            called(*(_entry(value, first, at, axes) for value in args), **kwargs)
            for at in itertools.product(*map(range, lead))
        ]
        return _put_together(answers, lead)

    return call


def _entry(value: Any, first: torch.Tensor, at: Sequence[int], axes: int) -> Any:
    """The part of an argument that belongs to one entry."""
    if axes < 0 and isinstance(value, torch.Tensor) and -axes < value.dim() < first.dim():
        value = value[(None,) * (first.dim() - value.dim())]  # a mask (H, Sq, Sk) is that of all sequences
    if not isinstance(value, torch.Tensor) or value.dim() < first.dim():
        return value
    pairs = list(zip(value.shape, first.shape, at, strict=False))
    if any(size not in (1, whole) for size, whole, _ in pairs):
        return value
    return value[tuple(place if size > 1 else 0 for size, _, place in pairs)]


def _put_together(answers: Sequence[Any], lead: Sequence[int]) -> Any:
    """One answer with these leading axes; what is no tensor is that of the first entry."""
    one = answers[0]
    if isinstance(one, np.ndarray):
        return np.stack(answers).reshape(*lead, *one.shape)
    if isinstance(one, torch.Tensor):
        return torch.stack(list(answers)).reshape(*lead, *one.shape)
    if isinstance(one, dict):
        return {key: _put_together([answer[key] for answer in answers], lead) for key in one}
    if isinstance(one, tuple | list):
        return tuple(_put_together(parts, lead) for parts in zip(*answers, strict=True))
    return one
