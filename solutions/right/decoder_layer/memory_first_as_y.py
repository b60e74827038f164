import math

from torch import nn


class Heads(nn.Module):
    def __init__(self, width, heads):
        super().__init__()
        if width % heads != 0:
            raise ValueError("the heads do not divide the width")
        self.heads = heads
        self.of_queries, self.of_keys = nn.Linear(width, width), nn.Linear(width, width)
        self.of_values, self.last = nn.Linear(width, width), nn.Linear(width, width)

    def forward(self, asks, answers, mask=None):
        q = self.of_queries(asks).unflatten(-1, (self.heads, -1)).transpose(1, 2)
        k = self.of_keys(answers).unflatten(-1, (self.heads, -1)).transpose(1, 2)
        v = self.of_values(answers).unflatten(-1, (self.heads, -1)).transpose(1, 2)
        scores = q @ k.transpose(-1, -2) / math.sqrt(q.size(-1))
        scores = scores if mask is None else scores.masked_fill(mask, float("-inf"))
        return self.last((scores.softmax(-1) @ v).transpose(1, 2).flatten(-2))


class DecoderLayer(nn.Module):
    """The memory is `y`, and comes first; each mask has the name of its input."""

    def __init__(self, width, heads, inner=None, dropout=0.1):
        super().__init__()
        inner = 4 * width if inner is None else inner
        self.itself, self.other = Heads(width, heads), Heads(width, heads)
        self.network = nn.Sequential(nn.Linear(width, inner), nn.GELU(), nn.Linear(inner, width))
        self.norm_a, self.norm_b, self.norm_c = (nn.LayerNorm(width) for _ in range(3))
        self.dropout = nn.Dropout(dropout)

    def forward(self, y, x, y_mask=None, x_mask=None):
        normed = self.norm_a(x)
        x = x + self.dropout(self.itself(normed, normed, x_mask))
        x = x + self.dropout(self.other(self.norm_b(x), y, y_mask))
        return x + self.dropout(self.network(self.norm_c(x)))
