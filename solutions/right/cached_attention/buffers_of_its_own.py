"""The longer cache is made first, and filled in two places."""

import torch


def rotary(x, base=10000.0, offset=0):
    half = x.shape[-1] // 2
    speeds = base ** (-torch.arange(half, dtype=x.dtype) / half)
    angles = torch.arange(offset, offset + x.shape[-2], dtype=x.dtype)[:, None] * speeds
    first, second = x[..., :half], x[..., half:]
    return torch.cat(
        [first * angles.cos() - second * angles.sin(), second * angles.cos() + first * angles.sin()], -1
    )


def cached_attention(q, k, v, cache=None):
    B, G, T, D = k.shape
    P = cache[0].shape[2] if cache else 0
    keys = torch.empty(B, G, P + T, D, dtype=k.dtype)
    values = torch.empty(B, G, P + T, D, dtype=v.dtype)
    if cache:
        keys[:, :, :P], values[:, :, :P] = cache
    keys[:, :, P:], values[:, :, P:] = rotary(k, offset=P), v
    queries = rotary(q, offset=P).reshape(B, G, -1, T, D)
    scores = torch.einsum("bgrtd,bgsd->bgrts", queries, keys) * D**-0.5
    additive = torch.zeros(T, P + T, dtype=q.dtype)
    for t in range(T):
        additive[t, P + t + 1 :] = -torch.inf
    weights = torch.softmax(scores + additive, dim=-1)
    output = torch.einsum("bgrts,bgsd->bgrtd", weights, values)
    return output.reshape(q.shape), (keys, values)
