"""Both masks are the same for all heads, (B, St, St) and (B, St, Ss), and must be given.

loses: hands_each_mask_to_its_attention
"""

import math

import torch.nn as nn


class Attention(nn.Module):
    def __init__(self, width, heads):
        super().__init__()
        self.heads = heads
        self.W_q, self.W_k = nn.Linear(width, width), nn.Linear(width, width)
        self.W_v, self.W_o = nn.Linear(width, width), nn.Linear(width, width)

    def split(self, x):
        return x.view(x.size(0), x.size(1), self.heads, -1).transpose(1, 2)

    def forward(self, x, memory, mask):
        q, k, v = self.split(self.W_q(x)), self.split(self.W_k(memory)), self.split(self.W_v(memory))
        scores = q @ k.transpose(-2, -1) / math.sqrt(q.size(-1))
        scores = scores.masked_fill(mask.unsqueeze(1), -1e9)
        joined = (scores.softmax(-1) @ v).transpose(1, 2)
        return self.W_o(joined.reshape(x.shape))


class FeedForward(nn.Module):
    def __init__(self, width, inner):
        super().__init__()
        self.linear1, self.linear2 = nn.Linear(width, inner), nn.Linear(inner, width)

    def forward(self, x):
        return self.linear2(self.linear1(x).relu())


class DecoderLayer(nn.Module):
    def __init__(self, embed_dim, num_heads, ff_dim=None, dropout=0.1):
        super().__init__()
        self.self_attention = Attention(embed_dim, num_heads)
        self.cross_attention = Attention(embed_dim, num_heads)
        self.feed_forward = FeedForward(embed_dim, ff_dim or 4 * embed_dim)
        self.norm1, self.norm2, self.norm3 = (nn.LayerNorm(embed_dim) for _ in range(3))
        self.dropout = nn.Dropout(dropout)

    def forward(self, x, memory, mask, memory_mask):
        normed = self.norm1(x)
        x = x + self.dropout(self.self_attention(normed, normed, mask))
        x = x + self.dropout(self.cross_attention(self.norm2(x), memory, memory_mask))
        return x + self.dropout(self.feed_forward(self.norm3(x)))
