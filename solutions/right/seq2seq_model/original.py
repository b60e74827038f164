import math

import torch
import torch.nn as nn


class MultiHeadAttention(nn.Module):
    def __init__(self, d_model, n_heads, dropout):
        super().__init__()
        self.attention = nn.MultiheadAttention(d_model, n_heads, dropout=dropout, batch_first=True)

    def forward(self, q, k, v, hidden_keys=None, future=None):
        return self.attention(q, k, v, key_padding_mask=hidden_keys, attn_mask=future, need_weights=False)[0]


class Layer(nn.Module):
    """Post-norm, as in the paper of 2017."""

    def __init__(self, d_model, n_heads, dropout, decodes):
        super().__init__()
        self.attend = MultiHeadAttention(d_model, n_heads, dropout)
        self.norm_a = nn.LayerNorm(d_model)
        if decodes:
            self.look = MultiHeadAttention(d_model, n_heads, dropout)
            self.norm_l = nn.LayerNorm(d_model)
        self.mlp = nn.Sequential(nn.Linear(d_model, 4 * d_model), nn.ReLU(), nn.Linear(4 * d_model, d_model))
        self.norm_m = nn.LayerNorm(d_model)
        self.drop = nn.Dropout(dropout)

    def forward(self, x, memory=None, hidden_keys=None, future=None):
        own = hidden_keys if memory is None else None
        x = self.norm_a(x + self.drop(self.attend(x, x, x, own, future)))
        if memory is not None:
            x = self.norm_l(x + self.drop(self.look(x, memory, memory, hidden_keys)))
        return self.norm_m(x + self.drop(self.mlp(x)))


class Seq2Seq(nn.Module):
    def __init__(self, src_vocab_size, tgt_vocab_size, d_model, n_heads, n_layers, max_len, dropout=0.0):
        super().__init__()
        self.d_model = d_model
        self.src_table = nn.Embedding(src_vocab_size, d_model)
        self.tgt_table = nn.Embedding(tgt_vocab_size, d_model)
        angles = torch.arange(max_len)[:, None] / 10000 ** (torch.arange(0, d_model, 2) / d_model)
        self.register_buffer("waves", torch.stack([angles.sin(), angles.cos()], -1).flatten(1))
        self.encoder = nn.ModuleList(Layer(d_model, n_heads, dropout, False) for _ in range(n_layers))
        self.decoder = nn.ModuleList(Layer(d_model, n_heads, dropout, True) for _ in range(n_layers))
        self.drop = nn.Dropout(dropout)
        self.generator = nn.Linear(d_model, tgt_vocab_size)

    def embed(self, table, ids):
        return self.drop(table(ids) * math.sqrt(self.d_model) + self.waves[: ids.size(1)])

    def encode(self, src, src_mask=None):
        x = self.embed(self.src_table, src)
        for layer in self.encoder:
            x = layer(x, hidden_keys=None if src_mask is None else src_mask[:, 0, 0, :])
        return x

    def decode(self, tgt, memory, src_mask=None):
        future = torch.full((tgt.size(1), tgt.size(1)), True).triu(1)
        x = self.embed(self.tgt_table, tgt)
        for layer in self.decoder:
            x = layer(x, memory, None if src_mask is None else src_mask[:, 0, 0, :], future)
        return self.generator(x)

    def forward(self, src, tgt, src_mask=None):
        return self.decode(tgt, self.encode(src, src_mask), src_mask)
