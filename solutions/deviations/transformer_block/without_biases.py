"""No layer has a bias.

loses: has_the_parameters_of_its_parts
"""

import math

import torch.nn as nn


class Attention(nn.Module):
    def __init__(self, dim, heads):
        super().__init__()
        if dim % heads:
            raise ValueError("the heads do not divide the width")
        self.heads = heads
        self.qkv = nn.Linear(dim, 3 * dim, bias=False)
        self.proj = nn.Linear(dim, dim, bias=False)

    def forward(self, x, mask=None):
        q, k, v = self.qkv(x).unflatten(-1, (3, self.heads, -1)).permute(2, 0, 3, 1, 4)
        scores = q @ k.mT / math.sqrt(q.shape[-1])
        if mask is not None:
            scores = scores.masked_fill(mask, -math.inf)
        return self.proj((scores.softmax(-1) @ v).transpose(1, 2).flatten(2))


class TransformerBlock(nn.Module):
    def __init__(self, embed_dim, num_heads, ff_dim=None, dropout=0.1):
        super().__init__()
        ff_dim = ff_dim or 4 * embed_dim
        self.ln_1, self.ln_2 = nn.LayerNorm(embed_dim, bias=False), nn.LayerNorm(embed_dim, bias=False)
        self.attn = Attention(embed_dim, num_heads)
        self.mlp = nn.Sequential(
            nn.Linear(embed_dim, ff_dim, bias=False),
            nn.GELU(),
            nn.Linear(ff_dim, embed_dim, bias=False),
            nn.Dropout(dropout),
        )

    def forward(self, x, mask=None):
        x = x + self.attn(self.ln_1(x), mask)
        return x + self.mlp(self.ln_2(x))
