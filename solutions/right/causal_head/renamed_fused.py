import torch
import torch.nn as nn


class Head(nn.Module):
    def __init__(self, n_embd, head_size, block_size, dropout=0.0):
        super().__init__()
        self.qkv = nn.Linear(n_embd, 3 * head_size, bias=False)
        self.drop = nn.Dropout(dropout)
        mask = torch.ones(block_size, block_size, dtype=torch.bool).triu(1)
        self.register_buffer("mask", mask, persistent=False)

    def forward(self, x):
        q, k, v = self.qkv(x).chunk(3, dim=-1)
        att = (q @ k.mT) / (q.size(-1) ** 0.5)
        T = x.shape[1]
        att = att.masked_fill(self.mask[:T, :T], -torch.inf).softmax(-1)
        return self.drop(att) @ v
