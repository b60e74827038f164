import torch
from torch import nn


class Head(nn.Module):
    def __init__(self, n_embd, head_size, block_size, dropout=0.0):
        super().__init__()
        self.wq = nn.Parameter(torch.randn(n_embd, head_size) / n_embd**0.5)
        self.wk = nn.Parameter(torch.randn(n_embd, head_size) / n_embd**0.5)
        self.wv = nn.Parameter(torch.randn(n_embd, head_size) / n_embd**0.5)
        self.head_size = head_size
        self.dropout = dropout

    def forward(self, x):
        q, k, v = x @ self.wq, x @ self.wk, x @ self.wv
        scores = torch.bmm(q, k.transpose(1, 2)) * self.head_size**-0.5
        length = x.shape[1]
        seen = torch.tril(torch.ones(length, length, device=x.device)).bool()
        weights = torch.where(seen, scores, float("-inf")).softmax(dim=2)
        out = torch.bmm(weights, v)
        return nn.functional.dropout(out, self.dropout, self.training)
