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
        q, k, v = (w(x).unflatten(-1, (self.h, -1)).transpose(1, 2) for w in (self.W_q, self.W_k, self.W_v))
        out = F.scaled_dot_product_attention(q, k, v, attn_mask=None if mask is None else ~mask)
        s = q @ k.mT / math.sqrt(self.d)
        p = (s if mask is None else s.masked_fill(mask, -math.inf)).softmax(-1)
        return self.W_o(out.transpose(1, 2).flatten(2)), p
