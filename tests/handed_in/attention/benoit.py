"""Rendu de Benoît : einops et einsum."""

import torch
from einops import rearrange
from torch import nn


def scaled_dot_product_attention(Q, K, V, mask=None):
    scores = torch.einsum("...id,...jd->...ij", Q, K) * Q.shape[-1] ** -0.5
    if mask is not None:
        scores = torch.where(mask, torch.finfo(scores.dtype).min, scores)
    weights = torch.softmax(scores, -1)
    return torch.einsum("...ij,...jv->...iv", weights, V), weights


def split_heads(x, num_heads):
    return rearrange(x, "b s (h d) -> b h s d", h=num_heads)


def concat_heads(x):
    return rearrange(x, "b h s d -> b s (h d)")


def projection(width):
    return nn.Linear(width, width, bias=True)


class MultiHeadAttention(nn.Module):
    def __init__(self, embed_dim, num_heads):
        super().__init__()
        if embed_dim % num_heads != 0:
            raise ValueError("embed_dim must be divisible by num_heads")
        self.heads = num_heads
        self.W_q, self.W_k, self.W_v, self.W_o = (projection(embed_dim) for _ in range(4))

    def forward(self, x, mask=None):
        q, k, v = (split_heads(w(x), self.heads) for w in (self.W_q, self.W_k, self.W_v))
        out, weights = scaled_dot_product_attention(q, k, v, mask=mask)
        return self.W_o(concat_heads(out)), weights


class FeedForward(nn.Module):
    def __init__(self, embed_dim, ff_dim=None, dropout=0.1):
        super().__init__()
        self.linear1 = nn.Linear(embed_dim, ff_dim or 4 * embed_dim)
        self.act = nn.GELU(approximate="tanh")
        self.drop = nn.Dropout(dropout)
        self.linear2 = nn.Linear(ff_dim or 4 * embed_dim, embed_dim)

    def forward(self, x):
        for layer in (self.linear1, self.act, self.drop, self.linear2):
            x = layer(x)
        return x


def causal_mask(seq_len):
    i = torch.arange(seq_len)
    return i.unsqueeze(0) > i.unsqueeze(1)


class TransformerBlock(nn.Module):
    def __init__(self, embed_dim, num_heads, ff_dim=None, dropout=0.1):
        super().__init__()
        self.norm1, self.norm2 = nn.LayerNorm(embed_dim), nn.LayerNorm(embed_dim)
        self.attention = MultiHeadAttention(embed_dim, num_heads)
        self.feed_forward = FeedForward(embed_dim, ff_dim, dropout)
        self.drop = nn.Dropout(dropout)

    def forward(self, x, mask=None):
        x = x + self.drop(self.attention(self.norm1(x), mask)[0])
        x = x + self.drop(self.feed_forward(self.norm2(x)))
        return x


def count_parameters(embed_dim, num_heads, ff_dim):
    block = TransformerBlock(embed_dim, num_heads, ff_dim)
    return sum(p.numel() for p in block.parameters() if p.requires_grad)


if __name__ == "__main__":
    print(TransformerBlock(32, 4)(torch.randn(2, 6, 32)).shape)
