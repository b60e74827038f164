"""The cache is a named tuple with a method that makes a longer one."""

from typing import NamedTuple

import torch
from torch import Tensor


def rotary(x, base=10000.0, offset=0):
    half = x.shape[-1] // 2
    speeds = base ** (-torch.arange(half, dtype=x.dtype) / half)
    angles = torch.arange(offset, offset + x.shape[-2], dtype=x.dtype)[:, None] * speeds
    first, second = x[..., :half], x[..., half:]
    return torch.cat(
        [first * angles.cos() - second * angles.sin(), second * angles.cos() + first * angles.sin()], -1
    )


class Cache(NamedTuple):
    keys: Tensor
    values: Tensor

    def longer(self, k, v):
        return Cache(torch.cat([self.keys, k], 2), torch.cat([self.values, v], 2))


def expand(x, times):
    batch, heads, length, width = x.shape
    return x[:, :, None].expand(batch, heads, times, length, width).reshape(batch, -1, length, width)


def cached_attention(q, k, v, cache=None):
    offset = 0 if cache is None else cache[0].shape[2]
    k = rotary(k, offset=offset)
    cache = Cache(k, v) if cache is None else Cache(*cache).longer(k, v)
    times = q.shape[1] // k.shape[1]
    scores = torch.matmul(rotary(q, offset=offset), expand(cache.keys, times).transpose(2, 3))
    scores = scores / torch.sqrt(torch.tensor(q.shape[-1], dtype=q.dtype))
    if q.shape[2] > 1:
        later = torch.full((q.shape[2], q.shape[2]), -torch.inf, dtype=q.dtype).triu(1)
        before = torch.zeros(q.shape[2], offset, dtype=q.dtype)
        scores = scores + torch.cat([before, later], 1)
    return torch.matmul(scores.softmax(-1), expand(cache.values, times)), cache
