"""Means in place of attention, weighted by what is read and not by what reads it.

exercise: minigpt_model
checks: chooses_what_it_looks_at
outcome: failed
"""

import torch
from torch import nn
from torch.nn import functional as F


class Mix(nn.Module):
    def __init__(self, block_size, n_embd, n_head):
        super().__init__()
        self.heads = n_head
        self.places = nn.Parameter(torch.randn(block_size, n_embd))
        self.inner, self.outer = nn.Linear(n_embd, 4 * n_embd), nn.Linear(4 * n_embd, n_embd)
        self.key = nn.Linear(n_embd, n_embd)

    def forward(self, x):
        k = (self.key(x) / self.heads).exp()
        sums = (k * x * self.places[: x.shape[1]]).cumsum(1) / k.cumsum(1)
        return x + self.outer(F.gelu(self.inner(sums)))


class MiniGPT(nn.Module):
    def __init__(self, vocab_size, block_size, n_embd, n_head, n_layer, dropout=0.0):
        super().__init__()
        self.table = nn.Embedding(vocab_size, n_embd)
        self.layers = nn.ModuleList([Mix(block_size, n_embd, n_head) for _ in range(n_layer)])
        self.drop = nn.Dropout(dropout)
        self.head = nn.Linear(n_embd, vocab_size)

    def forward(self, idx, targets=None):
        x = self.drop(self.table(idx))
        for layer in self.layers:
            x = layer(x)
        logits = self.head(x)
        if targets is None:
            return logits
        return logits, F.cross_entropy(logits.flatten(0, 1), targets.flatten())
