import math

import torch
from torch import nn


class Head(nn.Module):
    def __init__(self, n_embd, head_size, block_size, dropout=0.0):
        super().__init__()
        self.key = nn.Linear(n_embd, head_size, bias=False)
        self.query = nn.Linear(n_embd, head_size, bias=False)
        self.value = nn.Linear(n_embd, head_size, bias=False)
        self.scale = 1 / math.sqrt(head_size)
        self.dropout = nn.Dropout(dropout)

    def forward(self, x):
        T = x.size(1)
        scores = torch.einsum("bqd,bkd->bqk", self.query(x), self.key(x)) * self.scale
        future = torch.triu(torch.full((T, T), -1e9, dtype=x.dtype, device=x.device), diagonal=1)
        weights = torch.softmax(scores + future, dim=-1)
        return torch.einsum("bqk,bkd->bqd", self.dropout(weights), self.value(x))
