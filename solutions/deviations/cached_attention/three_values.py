"""Keys and values come back beside the output, and not as a pair.

loses: none
"""

import torch


def turn(x, offset):
    half = x.shape[-1] // 2
    speeds = 10000.0 ** (-torch.arange(half, dtype=x.dtype) / half)
    angles = torch.arange(offset, offset + x.shape[-2], dtype=x.dtype)[:, None] * speeds
    first, second = x[..., :half], x[..., half:]
    return torch.cat(
        [first * angles.cos() - second * angles.sin(), second * angles.cos() + first * angles.sin()], -1
    )


def cached_attention(q, k, v, cache=None):
    past = 0 if cache is None else cache[0].shape[2]
    q, k = turn(q, past), turn(k, past)
    if cache is not None:
        k, v = torch.cat([cache[0], k], 2), torch.cat([cache[1], v], 2)
    share = q.shape[1] // k.shape[1]
    scores = q @ k.repeat_interleave(share, 1).mT / q.shape[-1] ** 0.5
    later = torch.arange(k.shape[2]) > torch.arange(past, k.shape[2])[:, None]
    weights = scores.masked_fill(later, -torch.inf).softmax(-1)
    return weights @ v.repeat_interleave(share, 1), k, v
