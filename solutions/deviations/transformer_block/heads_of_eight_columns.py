"""The attention inside has heads of eight columns, whatever the model's width and the number of heads are.

loses: has_the_parameters_of_its_parts
"""

import math

from torch import nn


class Attention(nn.Module):
    def __init__(self, width, heads, head_width=8):
        super().__init__()
        self.heads, self.scale = heads, 1 / math.sqrt(head_width)
        self.to_q, self.to_k, self.to_v = (nn.Linear(width, heads * head_width) for _ in range(3))
        self.back = nn.Linear(heads * head_width, width)

    def forward(self, x, mask=None):
        q, k, v = (
            layer(x).unflatten(2, (self.heads, -1)).transpose(1, 2)
            for layer in (self.to_q, self.to_k, self.to_v)
        )
        scores = self.scale * q @ k.mT
        if mask is not None:
            scores = scores.masked_fill(mask, -math.inf)
        return self.back((scores.softmax(-1) @ v).transpose(1, 2).flatten(2))


class TransformerBlock(nn.Module):
    def __init__(self, width, heads, inner=None, dropout=0.1):
        super().__init__()
        inner = inner or 4 * width
        self.before_attention, self.before_network = nn.LayerNorm(width), nn.LayerNorm(width)
        self.attention = Attention(width, heads)
        self.network = nn.Sequential(nn.Linear(width, inner), nn.GELU(), nn.Linear(inner, width))
        self.dropout = nn.Dropout(dropout)

    def forward(self, x, mask=None):
        x = x + self.dropout(self.attention(self.before_attention(x), mask))
        return x + self.dropout(self.network(self.before_network(x)))
