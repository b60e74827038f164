"""The constructor takes the memory's width and makes layers for a memory as wide as x, whatever it is given.

loses: takes_a_memory_of_another_width
"""

import torch
from torch import nn


class CrossAttention(nn.Module):
    def __init__(self, embed_dim, num_heads, kv_dim=None):
        super().__init__()
        if embed_dim % num_heads != 0:
            raise ValueError(f"{num_heads} heads cannot share {embed_dim} columns")
        self.num_heads = num_heads
        self.to_q = nn.Linear(embed_dim, embed_dim)
        self.to_kv = nn.Linear(embed_dim, 2 * embed_dim)
        self.to_out = nn.Linear(embed_dim, embed_dim)

    def forward(self, x, memory, mask=None):
        q, (k, v) = self.to_q(x), self.to_kv(memory).chunk(2, -1)
        q, k, v = (t.unflatten(-1, (self.num_heads, -1)).transpose(1, 2) for t in (q, k, v))
        scores = torch.einsum("bhqd,bhkd->bhqk", q, k) * q.shape[-1] ** -0.5
        if mask is not None:
            scores = scores.masked_fill(mask, -torch.inf)
        weights = scores.softmax(dim=-1)
        return self.to_out((weights @ v).transpose(1, 2).flatten(2)), weights
