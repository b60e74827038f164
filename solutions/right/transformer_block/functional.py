import math

import torch
import torch.nn as nn
import torch.nn.functional as F


class Attention(nn.Module):
    """Only the output: the block does not need the weights."""

    def __init__(self, embed_dim, num_heads):
        super().__init__()
        assert embed_dim % num_heads == 0, "num_heads must divide embed_dim"
        self.heads = num_heads
        for name in ["W_q", "W_k", "W_v", "W_o"]:
            setattr(self, name, nn.Linear(embed_dim, embed_dim))

    def forward(self, x, mask=None):
        q, k, v = (f(x).unflatten(-1, (self.heads, -1)).transpose(1, 2) for f in (self.W_q, self.W_k, self.W_v))
        keep = None if mask is None else ~mask
        return self.W_o(F.scaled_dot_product_attention(q, k, v, attn_mask=keep).transpose(1, 2).flatten(2))


class TransformerBlock(nn.Module):
    def __init__(self, embed_dim, num_heads, ff_dim=None, dropout=0.1):
        super().__init__()
        if ff_dim is None:
            ff_dim = embed_dim * 4
        self.p = dropout
        self.attention = Attention(embed_dim, num_heads)
        self.feed_forward = nn.ModuleDict(
            {"linear1": nn.Linear(embed_dim, ff_dim), "linear2": nn.Linear(ff_dim, embed_dim)}
        )
        self.norm1 = nn.LayerNorm(embed_dim)
        self.norm2 = nn.LayerNorm(embed_dim)

    def forward(self, x, mask=None):
        y = x + F.dropout(self.attention(self.norm1(x), mask), self.p, self.training)
        h = F.relu(self.feed_forward["linear1"](self.norm2(y)))
        h = F.dropout(self.feed_forward["linear2"](h), p=self.p, training=self.training)
        return y.add(h)
