import math

import torch
import torch.nn as nn
import torch.nn.functional as F


class MultiHeadAttention(nn.Module):
    def __init__(self, embed_dim, num_heads):
        super().__init__()
        if embed_dim % num_heads:
            raise ValueError("embed_dim % num_heads")
        self.num_heads = num_heads
        s = embed_dim ** -0.5
        self.wq = nn.Parameter(torch.randn(embed_dim, embed_dim) * s)
        self.bq = nn.Parameter(torch.zeros(embed_dim))
        self.wk = nn.Parameter(torch.randn(embed_dim, embed_dim) * s)
        self.bk = nn.Parameter(torch.zeros(embed_dim))
        self.wv = nn.Parameter(torch.randn(embed_dim, embed_dim) * s)
        self.bv = nn.Parameter(torch.zeros(embed_dim))
        self.wo = nn.Parameter(torch.randn(embed_dim, embed_dim) * s)
        self.bo = nn.Parameter(torch.zeros(embed_dim))

    def forward(self, x, mask=None):
        B, S, E = x.shape
        q, k, v = [
            (x @ w + b).view(B, S, self.num_heads, E // self.num_heads).transpose(1, 2)
            for w, b in ((self.wq, self.bq), (self.wk, self.bk), (self.wv, self.bv))
        ]
        scores = torch.matmul(q, k.transpose(2, 3)) / math.sqrt(E // self.num_heads)
        if mask is not None:
            scores = scores.masked_fill(mask, -1e9)
        p = F.softmax(scores, dim=-1)
        return torch.matmul(p, v).transpose(1, 2).reshape(B, S, E) @ self.wo + self.bo, p
