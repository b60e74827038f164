"""Each new query sees a slice, and no mask is needed."""

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
    if cache is None:
        cache = k[:, :, :0], v[:, :, :0]
    P, n_rep = cache[0].shape[2], q.shape[1] // k.shape[1]
    keys = torch.cat([cache[0], rotary(k, offset=P)], 2)
    values = torch.cat([cache[1], v], 2)
    shared_keys = keys.repeat_interleave(n_rep, 1)
    shared_values = values.repeat_interleave(n_rep, 1)
    turned, outputs = rotary(q, offset=P), []
    for t in range(q.shape[2]):
        seen = P + t + 1
        scores = turned[:, :, t : t + 1] @ shared_keys[:, :, :seen].mT / q.shape[3] ** 0.5
        outputs.append(scores.softmax(-1) @ shared_values[:, :, :seen])
    return torch.cat(outputs, 2), (keys, values)
