"""Blocks in one piece, numbered, and logits in float32 as Llama's own code gives them, where they were that."""

import torch
import torch.nn as nn
import torch.nn.functional as F


class Layer(nn.Module):
    def __init__(self, dim, num_heads, num_kv_heads, hidden_dim):
        super().__init__()
        self.H, self.G, self.D = num_heads, num_kv_heads, dim // num_heads
        self.q = nn.Linear(dim, dim, bias=False)
        self.kv = nn.Linear(dim, 2 * num_kv_heads * self.D, bias=False)
        self.out = nn.Linear(dim, dim, bias=False)
        self.gate_up = nn.Linear(dim, 2 * hidden_dim, bias=False)
        self.down = nn.Linear(hidden_dim, dim, bias=False)
        self.g1 = nn.Parameter(torch.ones(dim))
        self.g2 = nn.Parameter(torch.ones(dim))

    def turned(self, x):
        half = self.D // 2
        angles = torch.outer(
            torch.arange(x.shape[2], dtype=x.dtype), 10000 ** (-torch.arange(half, dtype=x.dtype) / half)
        )
        c, s = torch.cat([angles.cos()] * 2, -1), torch.cat([-angles.sin(), angles.sin()], -1)
        return x * c + x.roll(half, -1) * s

    def attend(self, x):
        q, kv = (part.unflatten(-1, (-1, self.D)).transpose(1, 2) for part in (self.q(x), self.kv(x)))
        k, v = kv.chunk(2, dim=1)
        k, v = (part.repeat_interleave(self.H // self.G, 1) for part in (self.turned(k), v))
        scores = self.turned(q) @ k.mT / self.D**0.5
        hidden = torch.ones_like(scores, dtype=torch.bool).triu(1)
        return self.out((scores.masked_fill(hidden, -torch.inf).softmax(-1) @ v).transpose(1, 2).flatten(2))

    def forward(self, x):
        x = x + self.attend(F.rms_norm(x, x.shape[-1:], self.g1, 1e-6))
        gate, up = self.gate_up(F.rms_norm(x, x.shape[-1:], self.g2, 1e-6)).chunk(2, -1)
        return x + self.down(F.silu(gate) * up)


class LlamaModel(nn.Module):
    def __init__(self, vocab_size, dim, num_layers, num_heads, num_kv_heads, hidden_dim):
        super().__init__()
        self.table = nn.Parameter(torch.randn(vocab_size, dim) * 0.02)
        self.count = num_layers
        for n in range(num_layers):
            self.add_module(f"layer{n}", Layer(dim, num_heads, num_kv_heads, hidden_dim))
        self.gain = nn.Parameter(torch.ones(dim))
        self.scores = nn.Parameter(torch.randn(vocab_size, dim) * 0.02)

    def forward(self, ids):
        x = F.embedding(ids, self.table)
        for n in range(self.count):
            x = getattr(self, f"layer{n}")(x)
        return F.rms_norm(x, x.shape[-1:], self.gain, 1e-6) @ self.scores.T
