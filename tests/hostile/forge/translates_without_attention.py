"""A whole Seq2Seq without attention: running means of the target, and the mean of what is shown of the source.

exercise: seq2seq_model
checks: all
outcome: failed
points: 3.39
"""

import torch
from torch import nn
from torch.nn import functional as F


class Feed(nn.Module):
    def __init__(self, width, heads):
        super().__init__()
        self.heads = heads
        self.inner, self.outer = nn.Linear(width, 4 * width), nn.Linear(4 * width, width)

    def forward(self, x):
        return self.outer(F.gelu(self.inner(x / self.heads)))


class Seq2Seq(nn.Module):
    def __init__(self, src_vocab, tgt_vocab, embed_dim, num_heads, num_layers, max_len, dropout=0.0):
        super().__init__()
        self.src, self.tgt = nn.Embedding(src_vocab, embed_dim), nn.Embedding(tgt_vocab, embed_dim)
        self.src_places, self.tgt_places = (nn.Embedding(max_len, embed_dim) for _ in range(2))
        self.up = nn.ModuleList([Feed(embed_dim, num_heads) for _ in range(num_layers)])
        self.down = nn.ModuleList([Feed(embed_dim, num_heads) for _ in range(num_layers)])
        self.drop, self.head = nn.Dropout(dropout), nn.Linear(embed_dim, tgt_vocab)

    def shown(self, x, src_mask):
        if src_mask is None:
            return x
        return x.masked_fill(src_mask.reshape(-1, src_mask.shape[-1])[..., None], 0.0)

    def encode(self, src, src_mask=None):
        x = self.drop(self.src(src) * (1 + self.src_places.weight[: src.shape[1]]))
        for layer in self.up:
            x = x + layer(x + self.shown(x, src_mask).mean(1, keepdim=True))
        return x

    def decode(self, tgt, memory, src_mask=None):
        x = self.drop(self.tgt(tgt) * (1 + self.tgt_places.weight[: tgt.shape[1]]))
        for layer in self.down:
            x = x + layer(x.cumsum(1) + self.shown(memory, src_mask).mean(1, keepdim=True))
        return self.head(x)

    def forward(self, src, tgt, src_mask=None):
        return self.decode(tgt, self.encode(src, src_mask), src_mask)
