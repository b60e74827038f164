"""A list for the pair, heads one after the other."""

import torch


def rotary(x, base=10000.0, offset=0):
    half = x.shape[-1] // 2
    speeds = base ** (-torch.arange(half, dtype=x.dtype) / half)
    angles = torch.arange(offset, offset + x.shape[-2], dtype=x.dtype)[:, None] * speeds
    first, second = x[..., :half], x[..., half:]
    return torch.cat(
        [first * angles.cos() - second * angles.sin(), second * angles.cos() + first * angles.sin()], -1
    )


def cached_attention(q, k, v, kv_cache=None):
    past = kv_cache[0].size(2) if kv_cache is not None else 0
    q, k = rotary(q, offset=past), rotary(k, offset=past)
    if kv_cache is not None:
        k, v = [torch.cat([old, new], 2) for old, new in zip(kv_cache, (k, v), strict=True)]
    share = q.size(1) // k.size(1)
    positions = torch.arange(k.size(2))
    hidden = positions[None, :] > (past + torch.arange(q.size(2)))[:, None]
    heads = []
    for h in range(q.size(1)):
        scores = q[:, h] @ k[:, h // share].transpose(1, 2) / q.size(3) ** 0.5
        heads.append(scores.masked_fill(hidden, -1e9).softmax(-1) @ v[:, h // share])
    return torch.stack(heads, 1), [k, v]
