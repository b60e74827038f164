import torch
import torch.nn as nn


class Head(nn.Module):
    def __init__(self, embed_dim, kv_dim, head_dim):
        super().__init__()
        self.q = nn.Linear(embed_dim, head_dim)
        self.k = nn.Linear(kv_dim, head_dim)
        self.v = nn.Linear(kv_dim, head_dim)

    def forward(self, x, memory, mask):
        scores = self.q(x) @ self.k(memory).transpose(1, 2) / self.q.out_features**0.5
        if mask is not None:
            scores = scores.masked_fill(mask, float("-inf"))
        weights = torch.softmax(scores, -1)
        return weights @ self.v(memory), weights


class CrossAttention(nn.Module):
    def __init__(self, embed_dim, num_heads, kv_dim=None):
        super().__init__()
        if embed_dim % num_heads != 0:
            raise ValueError("heads")
        size = embed_dim // num_heads
        self.heads = nn.ModuleList([Head(embed_dim, kv_dim or embed_dim, size) for _ in range(num_heads)])
        self.proj = nn.Linear(embed_dim, embed_dim)

    def forward(self, x, memory, mask=None):
        if mask is not None:
            mask = mask.expand(len(x), len(self.heads), x.size(1), memory.size(1))
        pairs = [head(x, memory, None if mask is None else mask[:, i]) for i, head in enumerate(self.heads)]
        return self.proj(torch.cat([o for o, _ in pairs], -1)), torch.stack([w for _, w in pairs], 1)
