import math

import torch
import torch.nn as nn
import torch.nn.functional as F


def attention(q, k, v, mask):
    s = q @ k.transpose(-2, -1) / math.sqrt(q.size(-1))
    if mask is not None:
        s = s.masked_fill(mask, float("-inf"))
    p = s.softmax(-1)
    return p @ v, p


class MultiHeadAttention(nn.Module):
    def __init__(self, embed_dim, num_heads):
        super().__init__()
        if embed_dim % num_heads:
            raise ValueError("embed_dim % num_heads != 0")
        for name in ("W_q", "W_k", "W_v", "W_o"):
            self.add_module(name, nn.Linear(embed_dim, embed_dim, bias=True))
        self.num_heads = num_heads
        self.apply(self.init)

    @staticmethod
    def init(module):
        if isinstance(module, nn.Linear):
            nn.init.xavier_uniform_(module.weight)
            nn.init.zeros_(module.bias)

    def heads(self, x):
        return torch.stack(x.chunk(self.num_heads, -1), 1)

    def forward(self, x, mask=None):
        out, p = attention(self.heads(self.W_q(x)), self.heads(self.W_k(x)), self.heads(self.W_v(x)), mask)
        return self.W_o(torch.cat(out.unbind(1), -1)), p
