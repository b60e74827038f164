import math

import torch
import torch.nn as nn
import torch.nn.functional as F


class FeedForward(nn.Module):
    def __init__(self, embed_dim, ff_dim=None, dropout=0.1):
        super().__init__()
        ff_dim = 4 * embed_dim if ff_dim is None else ff_dim
        self.w1 = nn.Parameter(torch.randn(embed_dim, ff_dim) / math.sqrt(embed_dim))
        self.b1 = nn.Parameter(torch.zeros(ff_dim))
        self.w2 = nn.Parameter(torch.randn(ff_dim, embed_dim) / math.sqrt(ff_dim))
        self.b2 = nn.Parameter(torch.zeros(embed_dim))
        self.dropout = dropout

    def forward(self, x):
        h = F.gelu(torch.einsum("bse,ef->bsf", x, self.w1) + self.b1)
        h = F.dropout(h, self.dropout, self.training)
        return torch.einsum("bsf,fe->bse", h, self.w2) + self.b2
