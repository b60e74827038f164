import math

import torch
import torch.nn as nn
import torch.nn.functional as F


class MultiHeadAttention(nn.Module):
    def __init__(self, embed_dim, num_heads, dropout):
        super().__init__()
        if embed_dim % num_heads != 0:
            raise ValueError("embed_dim doit être divisible par num_heads")
        self.num_heads = num_heads
        self.W_q = nn.Linear(embed_dim, embed_dim)
        self.W_k = nn.Linear(embed_dim, embed_dim)
        self.W_v = nn.Linear(embed_dim, embed_dim)
        self.W_o = nn.Linear(embed_dim, embed_dim)
        self.attn_dropout = nn.Dropout(dropout)

    def forward(self, x, mask=None):
        def tetes(t):
            return t.reshape(*t.shape[:2], self.num_heads, -1).permute(0, 2, 1, 3)

        Q, K, V = tetes(self.W_q(x)), tetes(self.W_k(x)), tetes(self.W_v(x))
        scores = torch.einsum("bhid,bhjd->bhij", Q, K) * Q.shape[-1] ** -0.5
        if mask is not None:
            scores = torch.where(mask, -1e9, scores)
        poids = self.attn_dropout(scores.softmax(-1))
        sortie = torch.einsum("bhij,bhjd->bihd", poids, V).flatten(2)
        return self.W_o(sortie), poids


class FeedForward(nn.Module):
    def __init__(self, embed_dim, ff_dim, dropout):
        super().__init__()
        self.linear1 = nn.Linear(embed_dim, ff_dim)
        self.linear2 = nn.Linear(ff_dim, embed_dim)
        self.dropout = nn.Dropout(dropout)

    def forward(self, x):
        return self.dropout(self.linear2(self.dropout(F.gelu(self.linear1(x), approximate="tanh"))))


class TransformerBlock(nn.Module):
    def __init__(self, embed_dim, num_heads, ff_dim=None, dropout=0.1):
        super().__init__()
        self.attention = MultiHeadAttention(embed_dim, num_heads, dropout)
        self.feed_forward = FeedForward(embed_dim, ff_dim or 4 * embed_dim, dropout)
        self.norm1 = nn.LayerNorm(embed_dim)
        self.norm2 = nn.LayerNorm(embed_dim)
        self.dropout = nn.Dropout(dropout)

    def forward(self, x, mask=None):
        sortie, _ = self.attention(self.dropout(self.norm1(x)), mask)
        x = x + self.dropout(sortie)
        return x + self.dropout(self.feed_forward(self.dropout(self.norm2(x))))
