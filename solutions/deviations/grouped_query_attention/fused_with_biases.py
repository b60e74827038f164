"""One layer for queries, keys and values; all have a bias.

loses: has_four_layers_without_bias
"""

import torch
import torch.nn as nn
import torch.nn.functional as F


class GroupedQueryAttention(nn.Module):
    def __init__(self, dim, num_heads, num_kv_heads):
        super().__init__()
        if dim % num_heads or num_heads % num_kv_heads:
            raise ValueError("the heads do not fit")
        self.n_head, self.n_kv, self.head_size = num_heads, num_kv_heads, dim // num_heads
        self.qkv = nn.Linear(dim, (num_heads + 2 * num_kv_heads) * self.head_size)
        self.proj = nn.Linear(dim, dim)

    def rope(self, x):
        half = self.head_size // 2
        freqs = 10000.0 ** (-torch.arange(half, dtype=x.dtype) / half)
        angles = torch.outer(torch.arange(x.size(-2), dtype=x.dtype), freqs)
        a, b = x[..., :half], x[..., half:]
        return torch.cat((a * angles.cos() - b * angles.sin(), b * angles.cos() + a * angles.sin()), dim=-1)

    def forward(self, x):
        B, T, C = x.size()
        kv_dim = self.n_kv * self.head_size
        q, k, v = self.qkv(x).split([C, kv_dim, kv_dim], dim=-1)
        q = self.rope(q.view(B, T, self.n_head, self.head_size).transpose(1, 2))
        k = self.rope(k.view(B, T, self.n_kv, self.head_size).transpose(1, 2))
        v = v.view(B, T, self.n_kv, self.head_size).transpose(1, 2)
        k, v = (t.repeat_interleave(self.n_head // self.n_kv, dim=1) for t in (k, v))
        y = F.scaled_dot_product_attention(q, k, v, is_causal=True)
        return self.proj(y.transpose(1, 2).contiguous().view(B, T, C))
