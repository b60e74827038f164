"""The constructor takes the inner width and makes one of four times the model's, whatever it is given.

loses: has_the_parameters_of_its_parts
"""

import math

import torch.nn as nn
import torch.nn.functional as F


class Attend(nn.Module):
    def __init__(self, width, heads):
        super().__init__()
        self.heads = heads
        self.q, self.k, self.v, self.merge = (nn.Linear(width, width) for _ in range(4))

    def forward(self, x, memory, mask=None):
        q, k, v = (
            layer(states).unflatten(-1, (self.heads, -1)).transpose(1, 2)
            for layer, states in ((self.q, x), (self.k, memory), (self.v, memory))
        )
        scores = q @ k.mT / math.sqrt(q.shape[-1])
        if mask is not None:
            scores = scores.masked_fill(mask, float("-inf"))
        return self.merge((scores.softmax(-1) @ v).transpose(1, 2).flatten(2))


class DecoderLayer(nn.Module):
    def __init__(self, embed_dim, num_heads, ff_dim=None, dropout=0.1):
        super().__init__()
        if embed_dim % num_heads:
            raise ValueError("num_heads has to divide embed_dim")
        inner = 4 * embed_dim
        self.looks_back, self.looks_across = Attend(embed_dim, num_heads), Attend(embed_dim, num_heads)
        self.expand, self.contract = nn.Linear(embed_dim, inner), nn.Linear(inner, embed_dim)
        self.before = nn.ModuleList(nn.LayerNorm(embed_dim) for _ in range(3))
        self.drop = nn.Dropout(dropout)

    def forward(self, x, memory, mask=None, memory_mask=None):
        seen = self.before[0](x)
        x = x + self.drop(self.looks_back(seen, seen, mask))
        x = x + self.drop(self.looks_across(self.before[1](x), memory, memory_mask))
        return x + self.drop(self.contract(F.gelu(self.expand(self.before[2](x)))))
