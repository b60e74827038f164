"""Masks are (S, S), the same for all sequences and heads.

loses: obeys_masks_of_every_shape
"""

import torch
from torch import nn


class MultiHeadAttention(nn.Module):
    def __init__(self, embed_dim, num_heads):
        super().__init__()
        assert embed_dim % num_heads == 0
        self.num_heads = num_heads
        self.W_q = nn.Linear(embed_dim, embed_dim)
        self.W_k = nn.Linear(embed_dim, embed_dim)
        self.W_v = nn.Linear(embed_dim, embed_dim)
        self.W_o = nn.Linear(embed_dim, embed_dim)

    def heads_of(self, x):
        return x.unflatten(-1, (self.num_heads, -1)).transpose(1, 2)

    def forward(self, x, mask=None):
        q, k, v = (self.heads_of(layer(x)) for layer in (self.W_q, self.W_k, self.W_v))
        scores = q @ k.mT / q.size(-1) ** 0.5
        if mask is not None:
            assert mask.shape == scores.shape[2:]
            scores = scores.masked_fill(mask, float("-inf"))
        weights = scores.softmax(-1)
        return self.W_o((weights @ v).transpose(1, 2).flatten(2)), weights
