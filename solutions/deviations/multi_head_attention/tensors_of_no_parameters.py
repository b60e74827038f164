"""The weights are bare tensors of the module, and no parameters.

loses: has_four_layers_with_bias
"""

import torch
import torch.nn as nn


class MultiHeadAttention(nn.Module):
    def __init__(self, embed_dim, num_heads):
        super().__init__()
        assert embed_dim % num_heads == 0
        self.heads = num_heads
        self.Wq, self.Wk, self.Wv, self.Wo = (torch.randn(embed_dim, embed_dim) for _ in range(4))
        self.bq, self.bk, self.bv, self.bo = (torch.zeros(embed_dim) for _ in range(4))

    def split(self, x):
        return x.unflatten(-1, (self.heads, -1)).transpose(1, 2)

    def forward(self, x, mask=None):
        q, k, v = x @ self.Wq + self.bq, x @ self.Wk + self.bk, x @ self.Wv + self.bv
        q, k, v = self.split(q), self.split(k), self.split(v)
        scores = q @ k.transpose(-2, -1) * q.shape[-1] ** -0.5
        if mask is not None:
            scores = scores.masked_fill(mask, float("-inf"))
        weights = scores.softmax(-1)
        return (weights @ v).transpose(1, 2).flatten(2) @ self.Wo + self.bo, weights
