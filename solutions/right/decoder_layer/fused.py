import torch
import torch.nn as nn
import torch.nn.functional as F


class DecoderLayer(nn.Module):
    """All in one class, with PyTorch's fused attention and projections in one piece."""

    def __init__(self, embed_dim, num_heads, ff_dim=None, dropout=0.1):
        super().__init__()
        ff_dim = ff_dim if ff_dim else embed_dim * 4
        self.h, self.p = num_heads, dropout
        self.norm1 = nn.LayerNorm(embed_dim)
        self.norm2 = nn.LayerNorm(embed_dim)
        self.norm3 = nn.LayerNorm(embed_dim)
        self.qkv = nn.Linear(embed_dim, 3 * embed_dim)
        self.self_out = nn.Linear(embed_dim, embed_dim)
        self.q = nn.Linear(embed_dim, embed_dim)
        self.kv = nn.Linear(embed_dim, 2 * embed_dim)
        self.cross_out = nn.Linear(embed_dim, embed_dim)
        self.up = nn.Linear(embed_dim, ff_dim)
        self.down = nn.Linear(ff_dim, embed_dim)

    def cut(self, t):
        return t.unflatten(-1, (self.h, -1)).transpose(1, 2)

    def mix(self, q, k, v, mask):
        seen = None if mask is None else mask.logical_not()
        return F.scaled_dot_product_attention(*map(self.cut, (q, k, v)), attn_mask=seen).transpose(1, 2).flatten(2)

    def forward(self, x, memory, mask=None, memory_mask=None):
        q, k, v = self.qkv(self.norm1(x)).chunk(3, dim=-1)
        x = x + F.dropout(self.self_out(self.mix(q, k, v, mask)), self.p, self.training)
        k, v = torch.split(self.kv(memory), memory.size(-1), dim=-1)
        x = x + F.dropout(self.cross_out(self.mix(self.q(self.norm2(x)), k, v, memory_mask)), self.p, self.training)
        y = F.gelu(self.up(self.norm3(x)), approximate="tanh")
        return x + F.dropout(self.down(y), self.p, self.training)
