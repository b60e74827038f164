"""The three projections have no bias, and the softmax is computed in float32, whatever the input's dtype.

loses: has_four_layers_with_bias
"""

import torch
import torch.nn as nn


class MultiHeadAttention(nn.Module):
    def __init__(self, embed_dim, num_heads):
        super().__init__()
        if embed_dim % num_heads:
            raise ValueError("the heads must divide the width")
        self.heads = num_heads
        self.wq = nn.Linear(embed_dim, embed_dim, bias=False)
        self.wk = nn.Linear(embed_dim, embed_dim, bias=False)
        self.wv = nn.Linear(embed_dim, embed_dim, bias=False)
        self.wo = nn.Linear(embed_dim, embed_dim)

    def forward(self, x, mask=None):
        batch, length, width = x.shape
        shape = batch, length, self.heads, width // self.heads
        q, k, v = (project(x).view(shape).transpose(1, 2) for project in (self.wq, self.wk, self.wv))
        scores = q @ k.mT * shape[-1] ** -0.5
        if mask is not None:
            scores = scores.masked_fill(mask, float("-inf"))
        weights = torch.softmax(scores.float(), dim=-1).type_as(q)
        return self.wo((weights @ v).transpose(1, 2).reshape(x.shape)), weights
