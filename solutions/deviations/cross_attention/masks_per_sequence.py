"""A mask is the same for all heads, (B, Sq, Sk): no other is taken. View joins what there is.

loses: obeys_masks_of_every_shape
"""

import math

import torch.nn as nn


class CrossAttention(nn.Module):
    def __init__(self, embed_dim, num_heads, kv_dim=None):
        super().__init__()
        assert embed_dim % num_heads == 0
        kv_dim = kv_dim or embed_dim
        self.num_heads, self.embed_dim = num_heads, embed_dim
        self.W_q, self.W_o = nn.Linear(embed_dim, embed_dim), nn.Linear(embed_dim, embed_dim)
        self.W_k, self.W_v = nn.Linear(kv_dim, embed_dim), nn.Linear(kv_dim, embed_dim)

    def split(self, x):
        return x.view(x.size(0), -1, self.num_heads, self.embed_dim // self.num_heads).transpose(1, 2)

    def forward(self, x, memory, mask=None):
        q, k, v = self.split(self.W_q(x)), self.split(self.W_k(memory)), self.split(self.W_v(memory))
        scores = q @ k.transpose(-2, -1) / math.sqrt(q.size(-1))
        if mask is not None:
            scores = scores.masked_fill(mask.unsqueeze(1), float("-inf"))
        weights = scores.softmax(-1)
        joined = (weights @ v).transpose(1, 2).contiguous().view(x.size(0), -1, self.embed_dim)
        return self.W_o(joined), weights
