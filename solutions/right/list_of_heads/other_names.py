import math

import torch
from torch import nn


class AttentionHead(nn.Module):
    def __init__(self, d_in, d_head):
        super().__init__()
        self.W_q = nn.Linear(d_in, d_head, bias=False)
        self.W_k = nn.Linear(d_in, d_head, bias=False)
        self.W_v = nn.Linear(d_in, d_head, bias=False)

    def forward(self, x):
        q, k, v = self.W_q(x), self.W_k(x), self.W_v(x)
        future = torch.triu(torch.ones(x.size(1), x.size(1), dtype=torch.bool), diagonal=1)
        scores = torch.einsum("bid,bjd->bij", q, k) / math.sqrt(q.size(-1))
        return torch.softmax(scores.masked_fill(future, -1e9), dim=2) @ v


class MultiHead(nn.Module):
    def __init__(self, num_heads, head_size, n_embd, block_size, dropout=0.0):
        super().__init__()
        self.attention_heads = nn.ModuleList(AttentionHead(n_embd, head_size) for _ in range(num_heads))
        self.out = nn.Linear(num_heads * head_size, n_embd)
        self.p = dropout

    def forward(self, x):
        joined = torch.cat([head(x) for head in self.attention_heads], 2)
        return nn.functional.dropout(self.out(joined), self.p, self.training)
