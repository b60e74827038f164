import math

import torch
import torch.nn as nn
import torch.nn.functional as F


class MultiHeadAttention(nn.Module):
    def __init__(self, embed_dim, num_heads):
        super().__init__()
        assert embed_dim % num_heads == 0
        self.num_heads, self.head_dim = num_heads, embed_dim // num_heads
        self.out_proj = nn.Linear(embed_dim, embed_dim)
        self.value_proj = nn.Linear(embed_dim, embed_dim)
        self.key_proj = nn.Linear(embed_dim, embed_dim)
        self.query_proj = nn.Linear(embed_dim, embed_dim)

    def forward(self, x, mask=None):
        B, S, E = x.shape
        q = self.query_proj(x).view(B, S, self.num_heads, self.head_dim).permute(0, 2, 1, 3)
        k = self.key_proj(x).view(B, S, self.num_heads, self.head_dim).permute(0, 2, 3, 1)
        v = self.value_proj(x).view(B, S, self.num_heads, self.head_dim).permute(0, 2, 1, 3)
        p = q @ k / math.sqrt(self.head_dim)
        if mask is not None:
            p = p.masked_fill(mask, float("-inf"))
        p = torch.softmax(p, dim=-1)
        return self.out_proj((p @ v).permute(0, 2, 1, 3).contiguous().view(B, S, E)), p
