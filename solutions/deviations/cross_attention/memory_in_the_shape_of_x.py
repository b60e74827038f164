"""Keys and values are reshaped by the length of x: a memory of another length raises.

loses: keeps_the_shape_of_x
"""

import torch.nn as nn


class CrossAttention(nn.Module):
    def __init__(self, embed_dim, num_heads, kv_dim=None):
        super().__init__()
        assert embed_dim % num_heads == 0
        kv_dim = kv_dim or embed_dim
        self.heads, self.width = num_heads, embed_dim // num_heads
        self.W_q, self.W_o = nn.Linear(embed_dim, embed_dim), nn.Linear(embed_dim, embed_dim)
        self.W_k, self.W_v = nn.Linear(kv_dim, embed_dim), nn.Linear(kv_dim, embed_dim)

    def forward(self, x, memory, mask=None):
        batch, length, _ = x.shape
        projected = self.W_q(x), self.W_k(memory), self.W_v(memory)
        q, k, v = (p.view(batch, length, self.heads, self.width).transpose(1, 2) for p in projected)
        scores = q @ k.transpose(-2, -1) / self.width**0.5
        if mask is not None:
            scores = scores.masked_fill(mask, float("-inf"))
        weights = scores.softmax(-1)
        return self.W_o((weights @ v).transpose(1, 2).reshape(batch, length, -1)), weights
