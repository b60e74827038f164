import math

import torch.nn as nn


class Attention(nn.Module):
    def __init__(self, width, heads):
        super().__init__()
        if width % heads:
            raise ValueError("the heads do not share the width")
        self.heads = heads
        self.q, self.k, self.v, self.o = (nn.Linear(width, width) for _ in range(4))

    def forward(self, x, mask):
        q, k, v = (layer(x).unflatten(-1, (self.heads, -1)).transpose(1, 2) for layer in (self.q, self.k, self.v))
        scores = q @ k.transpose(2, 3) / math.sqrt(q.size(3))
        if mask is not None:
            scores = scores.masked_fill(mask, float("-inf"))
        return self.o((scores.softmax(-1) @ v).transpose(1, 2).flatten(2))


class Network(nn.Module):
    def __init__(self, width, inner, nonlinearity, rate):
        super().__init__()
        self.layers = nn.Sequential(
            nn.Linear(width, inner), nonlinearity(), nn.Dropout(rate), nn.Linear(inner, width)
        )

    def forward(self, x):
        return self.layers(x)


class TransformerBlock(nn.Module):
    """The classes of its norms and of its activation must be given, before the rate of dropout."""

    def __init__(self, width, heads, inner, norm_layer, nonlinearity, rate=0.1):
        super().__init__()
        self.attention = Attention(width, heads)
        self.network = Network(width, inner or 4 * width, nonlinearity, rate)
        self.norms = nn.ModuleList(norm_layer(width) for _ in range(2))
        self.dropout = nn.Dropout(rate)

    def forward(self, x, mask=None):
        x = x + self.dropout(self.attention(self.norms[0](x), mask))
        return x + self.dropout(self.network(self.norms[1](x)))
