import math

import torch
import torch.nn as nn
import torch.nn.functional as F


class MultiHeadAttention(nn.Module):
    def __init__(self, embed_dim, num_heads):
        super().__init__()
        assert embed_dim % num_heads == 0
        self.h, self.d = num_heads, embed_dim // num_heads
        self.W_q = nn.Linear(embed_dim, embed_dim)
        self.W_k = nn.Linear(embed_dim, embed_dim)
        self.W_v = nn.Linear(embed_dim, embed_dim)
        self.W_o = nn.Linear(embed_dim, embed_dim)

    def forward(self, x, mask=None):
        q = self.W_q(x).unflatten(-1, (self.h, self.d))
        k = self.W_k(x).unflatten(-1, (self.h, self.d))
        v = self.W_v(x).unflatten(-1, (self.h, self.d))
        s = torch.einsum("bqhd,bkhd->bhqk", q, k) / self.d ** 0.5
        if mask is not None:
            s = s.masked_fill(mask, torch.finfo(s.dtype).min)
        p = s.softmax(-1)
        return self.W_o(torch.einsum("bhqk,bkhd->bqhd", p, v).flatten(-2)), p
