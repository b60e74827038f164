"""Attention masks in the conventions of the exercises: bool, additive, 1 = kept or 1 = allowed.

B batch, S sequence, H heads.
"""

import torch
from torch import Tensor

from graders.check_api.strategies.tensors import ids, normal

NEGATIVE = (-1e9, -1e4)  # values of an additive mask where a key is masked


def additive(mask: Tensor, value: float = NEGATIVE[0], dtype: torch.dtype = torch.float32) -> Tensor:
    """An additive mask from a bool mask: `value` where it is True (masked), 0 elsewhere."""
    return torch.zeros(mask.shape, dtype=dtype).masked_fill(mask, value)


def padding(batch: int, length: int, seed: int) -> Tensor:
    """A padding mask (B, S): 1 = kept, 0 = padding at the end; the first two positions are always kept."""
    least = min(2, length)  # of one key alone, no weight of queries or keys has an effect
    kept = least + ids(batch, 1, vocabulary=length - least + 1, seed=seed)
    return (torch.arange(length) < kept).long()


def padding_added(batch: int, length: int, _seed: int = 0) -> Tensor:
    """An additive mask (B, 1, 1, S) in float64: two padded keys in the first sequence, none in the others."""
    masked = torch.zeros(batch, 1, 1, length, dtype=torch.bool)
    masked[0, ..., -2:] = True
    return additive(masked, dtype=torch.float64)


def scattered(batch: int, length: int, seed: int, heads: int = 3) -> Tensor:
    """A random additive mask (B, H, S, S) in float64; the diagonal is never masked."""
    random = normal(batch, heads, length, length, seed=seed) > 0
    return additive(random & ~torch.eye(length, dtype=torch.bool), NEGATIVE[1], torch.float64)


def allowed(batch: int, length: int, seed: int) -> Tensor:
    """A random mask (B, 1, S, S): 1 = allowed, 0 = hidden; the diagonal is always allowed."""
    random = normal(batch, 1, length, length, seed=seed) > 0
    return (random | torch.eye(length, dtype=torch.bool)).long()


def hiding(batch: int, length: int, seed: int) -> Tensor:
    """A random mask (B, 1, S, S), True = masked. Each row masks a key and shows a key.

    So no softmax gives NaN, whichever way the mask is read.
    """
    following = torch.eye(length, dtype=torch.bool).roll(1, 1)
    return (allowed(batch, length, seed) == 0) | following


def causal_mask(length: int) -> Tensor:
    """The causal mask (S, S), True = masked: True strictly above the diagonal."""
    return torch.ones(length, length, dtype=torch.bool).triu(1)


def almost_causal(length: int) -> Tensor:
    """A mask (S, S), True = masked: the causal mask, and the second key for the last query.

    So the last row masks a key too, as all other rows do.
    """
    mask = causal_mask(length)
    mask[-1, 1] = True
    return mask
