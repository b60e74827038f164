"""A module keeps keys and values in attributes that grow, and counts positions, until it is reset.

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


class cached_attention(nn.Module):
    def __init__(self):
        super().__init__()
        self.reset_cache()

    def reset_cache(self):
        self.register_buffer("keys", None, persistent=False)
        self.register_buffer("values", None, persistent=False)
        self.position = 0

    def forward(self, q, k, v, use_cache=False):
        q, k = turn(q, self.position), turn(k, self.position)
        if use_cache:
            if self.keys is None:
                self.keys, self.values = k, v
            else:
                self.keys = torch.cat([self.keys, k], 2)
                self.values = torch.cat([self.values, v], 2)
            k, v = self.keys, self.values
            self.position += q.shape[2]
        share = q.shape[1] // k.shape[1]
        past = k.shape[2] - q.shape[2]
        scores = q @ k.repeat_interleave(share, 1).mT / q.shape[-1] ** 0.5
        later = torch.arange(k.shape[2]) > torch.arange(past, k.shape[2])[:, None]
        return scores.masked_fill(later, -torch.inf).softmax(-1) @ v.repeat_interleave(share, 1)
