"""The mask is not cut to the length of the input: only inputs that fill the block are answered.

loses: looks_back_at_any_length
"""

import torch
import torch.nn as nn


class Head(nn.Module):
    def __init__(self, n_embd, head_size, block_size, dropout=0.0):
        super().__init__()
        self.key = nn.Linear(n_embd, head_size, bias=False)
        self.query = nn.Linear(n_embd, head_size, bias=False)
        self.value = nn.Linear(n_embd, head_size, bias=False)
        self.register_buffer("hidden", torch.ones(block_size, block_size).triu(1).bool())
        self.dropout = nn.Dropout(dropout)

    def forward(self, x):
        key = self.key(x)
        scores = self.query(x) @ key.transpose(-2, -1) * key.shape[-1] ** -0.5
        weights = self.dropout(scores.masked_fill(self.hidden, float("-inf")).softmax(-1))
        return weights @ self.value(x)
