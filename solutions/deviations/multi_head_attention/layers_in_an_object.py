"""The layers are in an object of a class that is no module, so that no optimizer finds them.

loses: has_four_layers_with_bias
"""

import math

from torch import nn


class Projections:
    def __init__(self, width):
        self.of_queries, self.of_keys, self.of_values = (nn.Linear(width, width) for _ in range(3))
        self.last = nn.Linear(width, width)


class MultiHeadAttention(nn.Module):
    def __init__(self, embed_dim, num_heads):
        super().__init__()
        assert embed_dim % num_heads == 0
        self.num_heads = num_heads
        self.layers = Projections(embed_dim)

    def split(self, x):
        return x.unflatten(-1, (self.num_heads, -1)).transpose(1, 2)

    def forward(self, x, mask=None):
        q, k, v = self.layers.of_queries(x), self.layers.of_keys(x), self.layers.of_values(x)
        scores = self.split(q) @ self.split(k).mT / math.sqrt(q.shape[-1] // self.num_heads)
        if mask is not None:
            scores = scores.masked_fill(mask, -math.inf)
        weights = scores.softmax(-1)
        return self.layers.last((weights @ self.split(v)).transpose(1, 2).flatten(2)), weights
