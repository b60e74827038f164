import math

import torch
import torch.nn as nn
import torch.nn.functional as F


def attention(q, k, v, mask):
    s = q @ k.transpose(-2, -1) / math.sqrt(q.size(-1))
    if mask is not None:
        s = s.masked_fill(mask, float("-inf"))
    p = s.softmax(-1)
    return p @ v, p


class MultiHeadAttention(nn.Module):
    def __init__(self, embed_dim, num_heads):
        super().__init__()
        assert embed_dim % num_heads == 0
        self.h, self.d = num_heads, embed_dim // num_heads
        self.W_q = nn.Linear(embed_dim, embed_dim)
        self.W_k = nn.Linear(embed_dim, embed_dim)
        self.W_v = nn.Linear(embed_dim, embed_dim)
        self.W_o = nn.Linear(embed_dim, embed_dim)

    def forward(self, x, mask=None):
        B, S, E = x.shape
        if mask is not None:
            mask = mask.expand(B, self.h, S, S)
        q, k, v = self.W_q(x), self.W_k(x), self.W_v(x)
        outs, ps = [], []
        for i in range(self.h):
            c = slice(i * self.d, (i + 1) * self.d)
            o, p = attention(q[..., c], k[..., c], v[..., c], None if mask is None else mask[:, i])
            outs.append(o)
            ps.append(p)
        return self.W_o(torch.cat(outs, -1)), torch.stack(ps, 1)
