"""Answers of the right shape that compute nothing: noise."""

import torch
from torch import nn


def scaled_dot_product_attention(Q, K, V, mask=None):
    weights = torch.full((*Q.shape[:-1], K.shape[-2]), 1 / K.shape[-2], dtype=Q.dtype)
    return torch.randn(*Q.shape[:-1], V.shape[-1], dtype=Q.dtype), weights


def split_heads(x, num_heads):
    return torch.randn(x.shape[0], num_heads, x.shape[1], x.shape[2] // num_heads, dtype=x.dtype)


def concat_heads(x):
    return torch.randn(x.shape[0], x.shape[2], x.shape[1] * x.shape[3], dtype=x.dtype)


class MultiHeadAttention(nn.Module):
    def __init__(self, embed_dim, num_heads):
        super().__init__()
        assert embed_dim % num_heads == 0
        self.num_heads = num_heads
        self.W_q, self.W_k = nn.Linear(embed_dim, embed_dim), nn.Linear(embed_dim, embed_dim)
        self.W_v, self.W_o = nn.Linear(embed_dim, embed_dim), nn.Linear(embed_dim, embed_dim)

    def forward(self, x, mask=None):
        length = x.shape[1]
        return torch.randn_like(x), torch.full((x.shape[0], self.num_heads, length, length), 1 / length)


class FeedForward(nn.Module):
    def __init__(self, embed_dim, ff_dim=None, dropout=0.1):
        super().__init__()
        self.linear1 = nn.Linear(embed_dim, ff_dim or 4 * embed_dim)
        self.linear2 = nn.Linear(ff_dim or 4 * embed_dim, embed_dim)

    def forward(self, x):
        return torch.randn_like(x)


def causal_mask(seq_len):
    return torch.randn(seq_len, seq_len) > 0


class TransformerBlock(nn.Module):
    def __init__(self, embed_dim, num_heads, ff_dim=None, dropout=0.1):
        super().__init__()
        self.attention = MultiHeadAttention(embed_dim, num_heads)
        self.feed_forward = FeedForward(embed_dim, ff_dim, dropout)
        self.norm1, self.norm2 = nn.LayerNorm(embed_dim), nn.LayerNorm(embed_dim)

    def forward(self, x, mask=None):
        return torch.randn_like(x)


def count_parameters(embed_dim, num_heads, ff_dim):
    return int(torch.randint(1, 99, ()))
