import math

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
    def __init__(self, dim, num_heads, num_kv_heads):
        super().__init__()
        if dim % num_heads != 0 or num_heads % num_kv_heads != 0:
            raise ValueError
        self.H, self.G, self.D = num_heads, num_kv_heads, dim // num_heads
        self.W_q = nn.Linear(dim, self.H * self.D, bias=False)
        self.W_k = nn.Linear(dim, self.G * self.D, bias=False)
        self.W_v = nn.Linear(dim, self.G * self.D, bias=False)
        self.W_o = nn.Linear(self.H * self.D, dim, bias=False)

    def forward(self, x):
        q, k, v = self.W_q(x), self.W_k(x), self.W_v(x)
        additive = torch.full((x.size(1), x.size(1)), -1e9, dtype=x.dtype).triu(1)
        heads = []
        for h in range(self.H):
            g = h // (self.H // self.G)
            mine = slice(h * self.D, (h + 1) * self.D)
            shared = slice(g * self.D, (g + 1) * self.D)
            scores = rotary(q[..., mine]) @ rotary(k[..., shared]).mT / math.sqrt(self.D) + additive
            heads.append(scores.softmax(-1) @ v[..., shared])
        return self.W_o(torch.cat(heads, -1))
