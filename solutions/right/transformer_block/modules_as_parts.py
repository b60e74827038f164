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
        q, k, v = [w(x).view(B, S, self.h, self.d).transpose(1, 2) for w in (self.W_q, self.W_k, self.W_v)]
        out, p = attention(q, k, v, mask)
        return self.W_o(out.transpose(1, 2).reshape(B, S, E)), p


class FeedForward(nn.Module):
    def __init__(self, embed_dim, ff_dim=None, dropout=0.1):
        super().__init__()
        ff_dim = ff_dim if ff_dim is not None else embed_dim * 4
        self.linear1 = nn.Linear(embed_dim, ff_dim)
        self.linear2 = nn.Linear(ff_dim, embed_dim)
        self.drop = nn.Dropout(dropout)

    def forward(self, x):
        return self.linear2(self.drop(F.gelu(self.linear1(x))))


class TransformerBlock(nn.Module):
    def __init__(self, embed_dim, num_heads, ff_dim=None, dropout=0.1):
        super().__init__()
        parts = {
            "attention": MultiHeadAttention(embed_dim, num_heads),
            "feed_forward": FeedForward(embed_dim, ff_dim, dropout),
            "norm1": nn.LayerNorm(embed_dim),
            "norm2": nn.LayerNorm(embed_dim),
        }
        for name, part in parts.items():
            setattr(self, name, part)

    def forward(self, x, mask=None):
        x = torch.add(x, self.attention(F.layer_norm(x, x.shape[-1:], self.norm1.weight, self.norm1.bias), mask)[0])
        x = torch.add(x, self.feed_forward(F.layer_norm(x, x.shape[-1:], self.norm2.weight, self.norm2.bias)))
        return x
