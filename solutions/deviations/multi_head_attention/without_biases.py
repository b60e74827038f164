"""No layer has a bias, and the three projections are one.

loses: has_four_layers_with_bias
"""

import math

import torch
import torch.nn as nn


class MultiHeadAttention(nn.Module):
    def __init__(self, embed_dim, num_heads):
        super().__init__()
        assert embed_dim % num_heads == 0
        self.n = num_heads
        self.c_attn = nn.Linear(embed_dim, 3 * embed_dim, bias=False)
        self.c_proj = nn.Linear(embed_dim, embed_dim, bias=False)

    def forward(self, x, mask=None):
        q, k, v = (t.unflatten(-1, (self.n, -1)).transpose(1, 2) for t in self.c_attn(x).chunk(3, dim=-1))
        scores = q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])
        if mask is not None:
            scores = scores.masked_fill(mask, float("-inf"))
        p = torch.softmax(scores, dim=-1)
        return self.c_proj((p @ v).transpose(1, 2).flatten(2)), p
