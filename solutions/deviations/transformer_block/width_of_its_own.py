"""The inner width is always 48: there is no argument for it, and it does not follow from the model's width.

loses: has_the_parameters_of_its_parts
"""

import math

import torch.nn as nn
import torch.nn.functional as F


class TransformerBlock(nn.Module):
    def __init__(self, d_model, n_heads, dropout=0.1):
        super().__init__()
        assert d_model % n_heads == 0
        self.n_heads = n_heads
        self.ln1, self.ln2 = nn.LayerNorm(d_model), nn.LayerNorm(d_model)
        self.query, self.key = nn.Linear(d_model, d_model), nn.Linear(d_model, d_model)
        self.value, self.out = nn.Linear(d_model, d_model), nn.Linear(d_model, d_model)
        self.up, self.down = nn.Linear(d_model, 48), nn.Linear(48, d_model)
        self.drop = nn.Dropout(dropout)

    def attend(self, x, mask):
        q, k, v = (
            f(x).unflatten(-1, (self.n_heads, -1)).transpose(1, 2) for f in (self.query, self.key, self.value)
        )
        scores = q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])
        if mask is not None:
            scores = scores.masked_fill(mask, float("-inf"))
        return self.out((scores.softmax(-1) @ v).transpose(1, 2).flatten(2))

    def forward(self, x, mask=None):
        x = x + self.drop(self.attend(self.ln1(x), mask))
        return x + self.drop(self.down(F.gelu(self.up(self.ln2(x)))))
