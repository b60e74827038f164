"""A module has tables of a largest size, with heads behind positions, and is told where new positions begin.

loses: answers_with_output_and_cache
"""

import torch
from torch import nn


def turn(x, offset):
    half = x.shape[-1] // 2
    speeds = 10000.0 ** (-torch.arange(half, dtype=x.dtype) / half)
    angles = torch.arange(offset, offset + x.shape[-2], dtype=x.dtype)[:, None] * speeds
    first, second = x[..., :half], x[..., half:]
    return torch.cat(
        [first * angles.cos() - second * angles.sin(), second * angles.cos() + first * angles.sin()], -1
    )


class CachedAttention(nn.Module):
    def __init__(self, max_batch_size, max_seq_len, n_kv_heads, head_dim):
        super().__init__()
        self.cache_k = torch.zeros(max_batch_size, max_seq_len, n_kv_heads, head_dim)
        self.cache_v = torch.zeros(max_batch_size, max_seq_len, n_kv_heads, head_dim)

    def forward(self, q, k, v, start_pos):
        batch, heads, new, width = q.shape
        q, k = turn(q, start_pos), turn(k, start_pos)
        end = start_pos + new
        self.cache_k[:batch, start_pos:end] = k.transpose(1, 2)
        self.cache_v[:batch, start_pos:end] = v.transpose(1, 2)
        keys = self.cache_k[:batch, :end].transpose(1, 2).repeat_interleave(heads // k.shape[1], 1)
        values = self.cache_v[:batch, :end].transpose(1, 2).repeat_interleave(heads // k.shape[1], 1)
        scores = q @ keys.mT / width**0.5
        later = torch.arange(end) > torch.arange(start_pos, end)[:, None]
        return scores.masked_fill(later, -torch.inf).softmax(-1) @ values


cached_attention = CachedAttention
