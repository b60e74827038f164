"""The masks are called as in other code, and stand the other way round: that costs nothing.

loses: none
"""

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


class CrossAttention(nn.Module):
    def __init__(self, embed_dim, num_heads, kv_dim=None):
        super().__init__()
        assert embed_dim % num_heads == 0
        kv_dim = kv_dim or embed_dim
        self.h = num_heads
        self.W_q = nn.Linear(embed_dim, embed_dim)
        self.W_k = nn.Linear(kv_dim, embed_dim)
        self.W_v = nn.Linear(kv_dim, embed_dim)
        self.W_o = nn.Linear(embed_dim, embed_dim)

    def heads(self, t):
        return t.view(t.size(0), t.size(1), self.h, -1).transpose(1, 2)

    def forward(self, x, memory, mask=None):
        q, k, v = self.heads(self.W_q(x)), self.heads(self.W_k(memory)), self.heads(self.W_v(memory))
        out, p = attention(q, k, v, mask)
        return self.W_o(out.transpose(1, 2).reshape(x.shape)), p


class MultiHeadAttention(CrossAttention):
    def forward(self, x, mask=None):
        return super().forward(x, x, mask)


class FeedForward(nn.Module):
    def __init__(self, embed_dim, ff_dim=None, dropout=0.1):
        super().__init__()
        ff_dim = ff_dim if ff_dim is not None else embed_dim * 4
        self.linear1 = nn.Linear(embed_dim, ff_dim)
        self.linear2 = nn.Linear(ff_dim, embed_dim)
        self.drop = nn.Dropout(dropout)

    def forward(self, x):
        return self.linear2(self.drop(F.gelu(self.linear1(x))))


class DecoderLayer(nn.Module):
    def __init__(self, embed_dim, num_heads, ff_dim=None, dropout=0.1):
        super().__init__()
        self.norm1 = nn.LayerNorm(embed_dim)
        self.self_attention = MultiHeadAttention(embed_dim, num_heads)
        self.norm2 = nn.LayerNorm(embed_dim)
        self.cross_attention = CrossAttention(embed_dim, num_heads)
        self.norm3 = nn.LayerNorm(embed_dim)
        self.feed_forward = FeedForward(embed_dim, ff_dim, dropout)

    def forward(self, x, memory, src_mask=None, tgt_mask=None):
        a, _ = self.self_attention(self.norm1(x), tgt_mask)
        x = x + a
        c, _ = self.cross_attention(self.norm2(x), memory, src_mask)
        x = x + c
        return x + self.feed_forward(self.norm3(x))
