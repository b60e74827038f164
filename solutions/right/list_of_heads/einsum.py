import torch
import torch.nn as nn


class MultiHead(nn.Module):
    def __init__(self, num_heads, head_size, n_embd, block_size, dropout=0.0):
        super().__init__()
        self.h = num_heads
        self.query = nn.Linear(n_embd, num_heads * head_size, bias=False)
        self.key = nn.Linear(n_embd, num_heads * head_size, bias=False)
        self.value = nn.Linear(n_embd, num_heads * head_size, bias=False)
        self.proj = nn.Linear(num_heads * head_size, n_embd)
        self.dropout = nn.Dropout(dropout)

    def forward(self, x):
        q, k, v = (f(x).unflatten(2, (self.h, -1)) for f in (self.query, self.key, self.value))
        scores = torch.einsum("bqhd,bkhd->bhqk", q, k) * q.shape[-1] ** -0.5
        keep = torch.arange(x.shape[1])[:, None] >= torch.arange(x.shape[1])
        scores = torch.where(keep, scores, float("-inf"))
        out = torch.einsum("bhqk,bkhd->bqhd", self.dropout(scores.softmax(-1)), v)
        return self.dropout(self.proj(out.flatten(2)))
