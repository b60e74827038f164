"""The width of a head follows from that of the model.

loses: has_heads_and_a_projection
"""

import torch
import torch.nn as nn


class Head(nn.Module):
    def __init__(self, width, size, longest):
        super().__init__()
        self.query = nn.Linear(width, size, bias=False)
        self.key = nn.Linear(width, size, bias=False)
        self.value = nn.Linear(width, size, bias=False)
        self.register_buffer("later", torch.ones(longest, longest).triu(1).bool())

    def forward(self, x):
        q, k, v = self.query(x), self.key(x), self.value(x)
        scores = q @ k.mT / q.shape[-1] ** 0.5
        length = x.shape[1]
        return scores.masked_fill(self.later[:length, :length], float("-inf")).softmax(-1) @ v


class MultiHead(nn.Module):
    def __init__(self, embed_dim, num_heads, max_len, dropout=0.0):
        super().__init__()
        assert embed_dim % num_heads == 0, "all heads must be as wide"
        heads = [Head(embed_dim, embed_dim // num_heads, max_len) for _ in range(num_heads)]
        self.heads = nn.ModuleList(heads)
        self.output = nn.Linear(embed_dim, embed_dim)
        self.dropout = nn.Dropout(dropout)

    def forward(self, x):
        return self.dropout(self.output(torch.cat([head(x) for head in self.heads], dim=-1)))
