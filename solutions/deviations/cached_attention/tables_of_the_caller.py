"""Two tables of the caller's are filled in place, from where the new positions begin.

loses: answers_with_output_and_cache
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


def cached_attention(q, k, v, k_cache, v_cache, start_pos):
    end = start_pos + q.shape[2]
    q, k = turn(q, start_pos), turn(k, start_pos)
    k_cache[:, :, start_pos:end] = k
    v_cache[:, :, start_pos:end] = v
    share = q.shape[1] // k.shape[1]
    keys, values = (part[:, :, :end].repeat_interleave(share, 1) for part in (k_cache, v_cache))
    scores = q @ keys.mT / q.shape[-1] ** 0.5
    later = torch.arange(end) > torch.arange(start_pos, end)[:, None]
    return scores.masked_fill(later, -torch.inf).softmax(-1) @ values
