import math

import torch
import torch.nn as nn
import torch.nn.functional as F


def scaled_dot_product_attention(Q, K, V, mask=None):
    d = Q.size(-1)
    scores = torch.matmul(Q, K.transpose(-1, -2)) / math.sqrt(d)
    if mask is not None:
        scores = scores.masked_fill(mask, float("-inf"))
    poids = scores.softmax(dim=-1)
    return torch.matmul(poids, V), poids


def split_heads(x, num_heads):
    B, S, E = x.shape
    return x.view(B, S, num_heads, E // num_heads).permute(0, 2, 1, 3)


def concat_heads(x):
    B, H, S, D = x.shape
    return x.permute(0, 2, 1, 3).reshape(B, S, H * D)


class MultiHeadAttention(nn.Module):
    def __init__(self, embed_dim, num_heads):
        super().__init__()
        assert embed_dim % num_heads == 0
        self.num_heads = num_heads
        self.W_q = nn.Linear(embed_dim, embed_dim)
        self.W_k = nn.Linear(embed_dim, embed_dim)
        self.W_v = nn.Linear(embed_dim, embed_dim)
        self.W_o = nn.Linear(embed_dim, embed_dim)

    def forward(self, x, mask=None):
        Q = split_heads(self.W_q(x), self.num_heads)
        K = split_heads(self.W_k(x), self.num_heads)
        V = split_heads(self.W_v(x), self.num_heads)
        tetes, poids = scaled_dot_product_attention(Q, K, V, mask)
        return self.W_o(concat_heads(tetes)), poids


class FeedForward(nn.Module):
    def __init__(self, embed_dim, ff_dim=None, dropout=0.1):
        super().__init__()
        self.p = dropout
        self.linear1 = nn.Linear(embed_dim, ff_dim or 4 * embed_dim)
        self.linear2 = nn.Linear(ff_dim or 4 * embed_dim, embed_dim)

    def forward(self, x):
        return self.linear2(F.dropout(F.gelu(self.linear1(x)), self.p))


def causal_mask(seq_len):
    return torch.triu(torch.ones(seq_len, seq_len), diagonal=1).bool()


class TransformerBlock(nn.Module):
    def __init__(self, embed_dim, num_heads, ff_dim=None, dropout=0.0):
        super().__init__()
        self.attention = MultiHeadAttention(embed_dim, num_heads)
        self.feed_forward = FeedForward(embed_dim, ff_dim, 0.0)
        self.norm1 = nn.LayerNorm(embed_dim)
        self.norm2 = nn.LayerNorm(embed_dim)

    def forward(self, x, mask=None):
        x = self.norm1(x + self.attention(x, mask)[0])
        return self.norm2(x + self.feed_forward(x))


def count_parameters(embed_dim, num_heads, ff_dim):
    return 4 * (embed_dim * embed_dim + embed_dim) + 2 * embed_dim * ff_dim + ff_dim + embed_dim
