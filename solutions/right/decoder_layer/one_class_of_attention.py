import math

import torch.nn as nn
import torch.nn.functional as F


class Attention(nn.Module):
    """Queries, keys and values are given one by one, so that one class does for both attentions."""

    def __init__(self, d_model, n_heads, dropout):
        super().__init__()
        self.n_heads = n_heads
        self.q_proj = nn.Linear(d_model, d_model)
        self.k_proj = nn.Linear(d_model, d_model)
        self.v_proj = nn.Linear(d_model, d_model)
        self.out_proj = nn.Linear(d_model, d_model)
        self.dropout = nn.Dropout(dropout)

    def forward(self, q, k, v, mask=None):
        q = self.q_proj(q).unflatten(-1, (self.n_heads, -1)).transpose(1, 2)
        k = self.k_proj(k).unflatten(-1, (self.n_heads, -1)).transpose(1, 2)
        v = self.v_proj(v).unflatten(-1, (self.n_heads, -1)).transpose(1, 2)
        scores = q.matmul(k.transpose(2, 3)) / math.sqrt(q.size(-1))
        if mask is not None:
            scores = scores.masked_fill(mask, -1e9)
        weights = self.dropout(F.softmax(scores, dim=-1))
        return self.out_proj(weights.matmul(v).transpose(1, 2).flatten(2))


class Sublayer(nn.Module):
    def __init__(self, d_model, dropout):
        super().__init__()
        self.norm = nn.LayerNorm(d_model)
        self.dropout = nn.Dropout(dropout)

    def forward(self, x, part):
        return x + self.dropout(part(self.norm(x)))


class DecoderLayer(nn.Module):
    def __init__(self, d_model, n_heads, d_ff=None, dropout=0.1):
        super().__init__()
        d_ff = d_ff or 4 * d_model
        self.self_attn = Attention(d_model, n_heads, dropout)
        self.src_attn = Attention(d_model, n_heads, dropout)
        self.w_1, self.w_2 = nn.Linear(d_model, d_ff), nn.Linear(d_ff, d_model)
        self.drop = nn.Dropout(dropout)
        self.sublayers = nn.ModuleList([Sublayer(d_model, dropout) for _ in range(3)])

    def forward(self, x, memory, src_mask=None, tgt_mask=None):
        x = self.sublayers[0](x, lambda y: self.self_attn(y, y, y, tgt_mask))
        x = self.sublayers[1](x, lambda y: self.src_attn(y, memory, memory, src_mask))
        return self.sublayers[2](x, lambda y: self.w_2(self.drop(F.relu(self.w_1(y)))))
