"""Blocks with one layer for queries, keys and values, and one for the gate and what passes it."""

import torch
import torch.nn as nn
import torch.nn.functional as F


class CausalAttention(nn.Module):
    def __init__(self, dim, num_heads, num_kv_heads):
        super().__init__()
        if dim % num_heads or num_heads % num_kv_heads:
            raise ValueError("the heads do not fit")
        self.n_head, self.n_kv, self.head_size = num_heads, num_kv_heads, dim // num_heads
        self.qkv = nn.Linear(dim, (num_heads + 2 * num_kv_heads) * self.head_size, bias=False)
        self.proj = nn.Linear(dim, dim, bias=False)

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


class RMSNorm(nn.Module):
    def __init__(self, dim, eps=1e-6):
        super().__init__()
        self.eps, self.weight = eps, nn.Parameter(torch.ones(dim))

    def forward(self, x):
        return x * torch.rsqrt(x.pow(2).mean(-1, keepdim=True) + self.eps) * self.weight


class MLP(nn.Module):
    def __init__(self, dim, hidden_dim):
        super().__init__()
        self.fc = nn.Linear(dim, 2 * hidden_dim, bias=False)
        self.proj = nn.Linear(hidden_dim, dim, bias=False)

    def forward(self, x):
        gate, up = self.fc(x).chunk(2, dim=-1)
        return self.proj(F.silu(gate) * up)


class Block(nn.Module):
    def __init__(self, dim, num_heads, num_kv_heads, hidden_dim):
        super().__init__()
        self.ln_1, self.ln_2 = RMSNorm(dim), RMSNorm(dim)
        self.attn = CausalAttention(dim, num_heads, num_kv_heads)
        self.mlp = MLP(dim, hidden_dim)

    def forward(self, x):
        x = x + self.attn(self.ln_1(x))
        return x + self.mlp(self.ln_2(x))


class LlamaModel(nn.Module):
    def __init__(self, vocab_size, dim, num_layers, num_heads, num_kv_heads, hidden_dim):
        super().__init__()
        self.wte = nn.Embedding(vocab_size, dim)
        self.h = nn.ModuleList(Block(dim, num_heads, num_kv_heads, hidden_dim) for _ in range(num_layers))
        self.ln_f = RMSNorm(dim)
        self.lm_head = nn.Linear(dim, vocab_size, bias=False)

    def forward(self, idx):
        x = self.wte(idx)
        for block in self.h:
            x = block(x)
        return self.lm_head(self.ln_f(x))
