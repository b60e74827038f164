import math

import torch
import torch.nn as nn
import torch.nn.functional as F


class LayerNorm(nn.Module):
    """As the course writes it: the deviation plus epsilon."""

    def __init__(self, features, eps=1e-6):
        super().__init__()
        self.weight, self.bias = nn.Parameter(torch.ones(features)), nn.Parameter(torch.zeros(features))
        self.eps = eps

    def forward(self, x):
        mu, sigma = x.mean(dim=-1, keepdim=True), x.std(dim=-1, keepdim=True, unbiased=False)
        return self.weight * (x - mu) / (sigma + self.eps) + self.bias


class MultiHeadAttention(nn.Module):
    def __init__(self, embed_dim: int, num_heads: int):
        super().__init__()
        d_k, rest = divmod(embed_dim, num_heads)
        if rest:
            raise ValueError
        self.d_k, self.num_heads = d_k, num_heads
        self.W_q, self.W_k, self.W_v, self.W_o = (nn.Linear(embed_dim, embed_dim) for _ in range(4))

    def forward(self, x, mask=None):
        Q, K, V = self.W_q(x), self.W_k(x), self.W_v(x)
        outputs, weights = [], []
        for head, (q, k, v) in enumerate(zip(Q.split(self.d_k, -1), K.split(self.d_k, -1), V.split(self.d_k, -1))):
            scores = q @ k.mT / math.sqrt(self.d_k)
            if mask is not None:
                m = mask if mask.dim() < 4 else mask[:, min(head, mask.shape[1] - 1)]
                scores = scores.masked_fill(m, torch.finfo(scores.dtype).min)
            weights.append(torch.softmax(scores, dim=-1))
            outputs.append(weights[-1] @ v)
        return self.W_o(torch.cat(outputs, dim=-1)), torch.stack(weights, dim=1)


class FeedForward(nn.Module):
    def __init__(self, embed_dim: int, ff_dim: int, dropout: float):
        super().__init__()
        self.linear1, self.linear2 = nn.Linear(embed_dim, ff_dim), nn.Linear(ff_dim, embed_dim)
        self.steps = [self.linear1, nn.GELU(), nn.Dropout(dropout), self.linear2]
        self.drop = self.steps[2]

    def forward(self, x):
        for step in self.steps:
            x = step(x)
        return x


class TransformerBlock(nn.Module):
    def __init__(self, embed_dim: int, num_heads: int, ff_dim: int | None = None, dropout: float = 0.1):
        super().__init__()
        self.norm1, self.norm2 = LayerNorm(embed_dim), LayerNorm(embed_dim)
        self.attention = MultiHeadAttention(embed_dim, num_heads)
        self.feed_forward = FeedForward(embed_dim, 4 * embed_dim if ff_dim is None else ff_dim, dropout)

    def forward(self, x: torch.Tensor, mask: torch.Tensor | None = None) -> torch.Tensor:
        x = x + self.attention(self.norm1(x), mask)[0]
        x = x + self.feed_forward(self.norm2(x))
        return x
