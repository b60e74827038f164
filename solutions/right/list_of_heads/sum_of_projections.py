import torch
import torch.nn as nn
import torch.nn.functional as F


class Head(nn.Module):
    def __init__(self, n_embd, head_size):
        super().__init__()
        self.key = nn.Linear(n_embd, head_size, bias=False)
        self.query = nn.Linear(n_embd, head_size, bias=False)
        self.value = nn.Linear(n_embd, head_size, bias=False)

    def forward(self, x):
        rows = []
        q, k, v = self.query(x), self.key(x), self.value(x)
        for t in range(x.shape[1]):
            scores = (k[:, : t + 1] @ q[:, t, :, None]).squeeze(2) / q.shape[2] ** 0.5
            rows.append((scores.softmax(1)[:, None] @ v[:, : t + 1]).squeeze(1))
        return torch.stack(rows, 1)


class MultiHead(nn.Module):
    """Each head goes through its own columns of the last layer, and the sum of these is the answer."""

    def __init__(self, num_heads, head_size, n_embd, block_size, dropout=0.0):
        super().__init__()
        self.heads = nn.ModuleList(Head(n_embd, head_size) for _ in range(num_heads))
        self.proj = nn.Linear(num_heads * head_size, n_embd)
        self.dropout = nn.Dropout(dropout)

    def forward(self, x):
        columns = self.proj.weight.chunk(len(self.heads), dim=1)
        parts = [head(x) @ w.T for head, w in zip(self.heads, columns)]
        return self.dropout(sum(parts) + self.proj.bias)
