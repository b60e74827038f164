"""The attention and the feed-forward network have sizes of their own, whatever the constructor is given.

loses: has_the_parameters_of_its_parts
"""

import math

from torch import nn
from torch.nn import functional as F


class Attention(nn.Module):
    def __init__(self, width=48, heads=4):
        super().__init__()
        self.heads = heads
        self.query, self.key = nn.Linear(width, width), nn.Linear(width, width)
        self.value, self.out = nn.Linear(width, width), nn.Linear(width, width)

    def split(self, x):
        return x.unflatten(-1, (self.heads, -1)).transpose(1, 2)

    def forward(self, x, mask=None):
        q, k, v = self.split(self.query(x)), self.split(self.key(x)), self.split(self.value(x))
        scores = q @ k.mT / math.sqrt(q.shape[-1])
        if mask is not None:
            scores = scores.masked_fill(mask, -math.inf)
        return self.out((scores.softmax(-1) @ v).transpose(1, 2).flatten(2))


class FeedForward(nn.Module):
    def __init__(self, width=48):
        super().__init__()
        self.inner, self.outer = nn.Linear(width, 4 * width), nn.Linear(4 * width, width)

    def forward(self, x):
        return self.outer(F.gelu(self.inner(x)))


class TransformerBlock(nn.Module):
    def __init__(self, embed_dim, num_heads, ff_dim=None, dropout=0.1):
        super().__init__()
        self.attention, self.feed_forward = Attention(), FeedForward()
        self.norm1, self.norm2 = nn.LayerNorm(embed_dim), nn.LayerNorm(embed_dim)
        self.dropout = nn.Dropout(dropout)

    def forward(self, x, mask=None):
        x = x + self.dropout(self.attention(self.norm1(x), mask))
        return x + self.dropout(self.feed_forward(self.norm2(x)))
