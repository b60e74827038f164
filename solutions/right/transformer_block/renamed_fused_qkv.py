import math

import torch
import torch.nn as nn
import torch.nn.functional as F


class TransformerBlock(nn.Module):
    def __init__(self, embed_dim, num_heads, ff_dim=None, dropout=0.1):
        super().__init__()
        if embed_dim % num_heads:
            raise ValueError("num_heads")
        ff_dim = 4 * embed_dim if ff_dim is None else ff_dim
        self.num_heads = num_heads
        self.norm1 = nn.LayerNorm(embed_dim)
        self.qkv = nn.Linear(embed_dim, 3 * embed_dim)
        self.out = nn.Linear(embed_dim, embed_dim)
        self.norm2 = nn.LayerNorm(embed_dim)
        self.linear1 = nn.Linear(embed_dim, ff_dim)
        self.linear2 = nn.Linear(ff_dim, embed_dim)
        self.dropout = nn.Dropout(dropout)

    def attend(self, x, mask):
        q, k, v = (t.unflatten(-1, (self.num_heads, -1)).transpose(1, 2) for t in self.qkv(x).chunk(3, -1))
        s = q @ k.mT / math.sqrt(q.shape[-1])
        if mask is not None:
            s = s.masked_fill(mask, -1e9)
        return self.out((s.softmax(-1) @ v).transpose(1, 2).flatten(2))

    def forward(self, x, mask=None):
        x = x + self.dropout(self.attend(self.norm1(x), mask))
        return x + self.dropout(self.linear2(F.gelu(self.linear1(self.norm2(x)))))
