"""The groups are an axis of their own, and nothing is repeated."""

import torch
from torch import nn


def rotary(x, base=10000.0, offset=0):
    half = x.shape[-1] // 2
    speeds = base ** (-torch.arange(half, dtype=x.dtype) / half)
    angles = torch.arange(offset, offset + x.shape[-2], dtype=x.dtype)[:, None] * speeds
    first, second = x[..., :half], x[..., half:]
    return torch.cat(
        [first * angles.cos() - second * angles.sin(), second * angles.cos() + first * angles.sin()], -1
    )


class GroupedQueryAttention(nn.Module):
    def __init__(self, d_model, h, kv_h):
        super().__init__()
        if d_model % h or h % kv_h:
            raise ValueError("the heads do not fit")
        self.h, self.g, self.d = h, kv_h, d_model // h
        self.query = nn.Linear(d_model, h * self.d, bias=False)
        self.key = nn.Linear(d_model, kv_h * self.d, bias=False)
        self.value = nn.Linear(d_model, kv_h * self.d, bias=False)
        self.out = nn.Linear(h * self.d, d_model, bias=False)

    def forward(self, x):
        batch, length, _ = x.shape
        q = self.query(x).view(batch, length, self.g, self.h // self.g, self.d).permute(0, 2, 3, 1, 4)
        k = self.key(x).view(batch, length, self.g, self.d).permute(0, 2, 1, 3)
        v = self.value(x).view(batch, length, self.g, self.d).permute(0, 2, 1, 3)
        scores = torch.einsum("bgrqd,bgkd->bgrqk", rotary(q), rotary(k)) / self.d**0.5
        later = torch.arange(length)[None, :] > torch.arange(length)[:, None]
        weights = scores.masked_fill(later, -torch.inf).softmax(-1)
        together = torch.einsum("bgrqk,bgkd->bqgrd", weights, v)
        return self.out(together.reshape(batch, length, -1))
