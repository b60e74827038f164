import torch
import torch.nn as nn


class Head(nn.Module):
    def __init__(self, n_embd: int, head_size: int, block_size: int, dropout: float = 0.0):
        super().__init__()
        self.key = nn.Linear(n_embd, head_size, bias=False)
        self.query = nn.Linear(n_embd, head_size, bias=False)
        self.value = nn.Linear(n_embd, head_size, bias=False)
        self.tril = torch.tril(torch.ones(block_size, block_size))
        self.dropout = nn.Dropout(dropout)
        self.scale = head_size ** 0.5

    def forward(self, x):
        T = x.shape[-2]
        scores = (self.query(x) / self.scale) @ self.key(x).transpose(1, 2)
        e = torch.exp(scores - scores.amax(-1, keepdim=True)) * self.tril[:T, :T]
        return self.dropout(e / e.sum(-1, keepdim=True)) @ self.value(x)
