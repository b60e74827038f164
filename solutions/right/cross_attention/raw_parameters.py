import torch
import torch.nn as nn


class CrossAttention(nn.Module):
    def __init__(self, embed_dim, num_heads, kv_dim=None):
        super().__init__()
        if embed_dim % num_heads:
            raise ValueError("embed_dim % num_heads != 0")
        m = kv_dim or embed_dim
        self.H = num_heads
        self.wq = nn.Parameter(torch.randn(embed_dim, embed_dim) / embed_dim**0.5)
        self.wk = nn.Parameter(torch.randn(m, embed_dim) / m**0.5)
        self.wv = nn.Parameter(torch.randn(m, embed_dim) / m**0.5)
        self.wo = nn.Parameter(torch.randn(embed_dim, embed_dim) / embed_dim**0.5)
        self.bq = nn.Parameter(torch.zeros(embed_dim))
        self.bk = nn.Parameter(torch.zeros(embed_dim))
        self.bv = nn.Parameter(torch.zeros(embed_dim))
        self.bo = nn.Parameter(torch.zeros(embed_dim))

    def forward(self, x, memory, mask=None):
        q, k, v = x @ self.wq + self.bq, memory @ self.wk + self.bk, memory @ self.wv + self.bv
        q, k, v = (t.unflatten(2, (self.H, -1)).movedim(2, 1) for t in (q, k, v))
        scores = q @ k.mT / q.size(-1) ** 0.5
        if mask is not None:
            scores = scores.masked_fill(mask, float("-inf"))
        weights = scores.softmax(-1)
        return (weights @ v).movedim(1, 2).flatten(2) @ self.wo + self.bo, weights
