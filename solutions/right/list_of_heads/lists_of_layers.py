import torch
import torch.nn as nn


class MultiHead(nn.Module):
    """No class for a head: three lists of layers."""

    def __init__(self, num_heads, head_size, n_embd, block_size, dropout=0.0):
        super().__init__()
        self.queries = nn.ModuleList([nn.Linear(n_embd, head_size, bias=False) for _ in range(num_heads)])
        self.keys = nn.ModuleList([nn.Linear(n_embd, head_size, bias=False) for _ in range(num_heads)])
        self.values = nn.ModuleList([nn.Linear(n_embd, head_size, bias=False) for _ in range(num_heads)])
        self.out = nn.Sequential(nn.Linear(num_heads * head_size, n_embd), nn.Dropout(dropout))
        self.register_buffer("mask", torch.triu(torch.full((block_size, block_size), float("-inf")), 1))

    def forward(self, x):
        T = x.shape[1]
        heads = []
        for to_q, to_k, to_v in zip(self.queries, self.keys, self.values):
            q, k, v = to_q(x), to_k(x), to_v(x)
            scores = q @ k.mT / k.size(-1) ** 0.5 + self.mask[:T, :T]
            heads.append(scores.softmax(dim=-1) @ v)
        return self.out(torch.cat(heads, dim=-1))
