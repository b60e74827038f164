import math

import torch
import torch.nn as nn


class SelfAttention(nn.Module):
    def __init__(self, embed_dim):
        super().__init__()
        self.Wq = nn.Parameter(torch.randn(embed_dim, embed_dim) / math.sqrt(embed_dim))
        self.Wk = nn.Parameter(torch.randn(embed_dim, embed_dim) / math.sqrt(embed_dim))
        self.Wv = nn.Parameter(torch.randn(embed_dim, embed_dim) / math.sqrt(embed_dim))
        self.bq = nn.Parameter(torch.zeros(embed_dim))
        self.bk = nn.Parameter(torch.zeros(embed_dim))
        self.bv = nn.Parameter(torch.zeros(embed_dim))

    def forward(self, x, mask=None):
        q, k, v = x @ self.Wq + self.bq, x @ self.Wk + self.bk, x @ self.Wv + self.bv
        scores = torch.bmm(q, k.transpose(1, 2)).div(math.sqrt(x.size(2)))
        if mask is not None:
            scores = scores + torch.zeros_like(scores).masked_fill(mask, float("-inf"))
        weights = (scores - scores.amax(-1, keepdim=True)).exp()
        weights = weights / weights.sum(-1, keepdim=True)
        return torch.bmm(weights, v), weights
