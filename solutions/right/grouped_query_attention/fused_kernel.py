"""PyTorch's fused attention, which shares the heads itself."""

import torch
import torch.nn as nn
import torch.nn.functional as F


def rotary(x, base=10000.0, offset=0):
    half = x.shape[-1] // 2
    speeds = base ** (-torch.arange(half, dtype=x.dtype) / half)
    angles = torch.arange(offset, offset + x.shape[-2], dtype=x.dtype)[:, None] * speeds
    first, second = x[..., :half], x[..., half:]
    return torch.cat(
        [first * angles.cos() - second * angles.sin(), second * angles.cos() + first * angles.sin()], -1
    )


class GroupedQueryAttention(nn.Module):
    def __init__(self, dim, n_heads, n_kv_heads):
        super().__init__()
        if dim % n_heads != 0:
            raise ValueError("dim must be divisible by n_heads")
        if n_heads % n_kv_heads != 0:
            raise ValueError("n_heads must be divisible by n_kv_heads")
        self.n_heads, self.n_kv_heads = n_heads, n_kv_heads
        self.wq = nn.Linear(dim, dim, bias=False)
        self.wk = nn.Linear(dim, dim // n_heads * n_kv_heads, bias=False)
        self.wv = nn.Linear(dim, dim // n_heads * n_kv_heads, bias=False)
        self.wo = nn.Linear(dim, dim, bias=False)

    def forward(self, x):
        b, s, _ = x.shape
        q = rotary(self.wq(x).view(b, s, self.n_heads, -1).transpose(1, 2))
        k = rotary(self.wk(x).view(b, s, self.n_kv_heads, -1).transpose(1, 2))
        v = self.wv(x).view(b, s, self.n_kv_heads, -1).transpose(1, 2)
        out = F.scaled_dot_product_attention(q, k, v, is_causal=True, enable_gqa=True)
        return self.wo(out.transpose(1, 2).contiguous().view(b, s, -1))
