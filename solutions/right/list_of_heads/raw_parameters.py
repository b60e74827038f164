import torch
import torch.nn as nn


class MultiHead(nn.Module):
    def __init__(self, num_heads, head_size, n_embd, block_size, dropout=0.0):
        super().__init__()
        shape = (num_heads, n_embd, head_size)
        self.W_q = nn.Parameter(torch.randn(shape) * n_embd**-0.5)
        self.W_k = nn.Parameter(torch.randn(shape) * n_embd**-0.5)
        self.W_v = nn.Parameter(torch.randn(shape) * n_embd**-0.5)
        self.W_o = nn.Linear(num_heads * head_size, n_embd)
        self.drop = nn.Dropout(dropout)

    def forward(self, x):
        q, k, v = (x[:, None] @ W for W in (self.W_q, self.W_k, self.W_v))
        scores = q @ k.transpose(2, 3) / q.size(3) ** 0.5
        future = torch.ones_like(scores, dtype=torch.bool).triu(1)
        heads = scores.masked_fill(future, float("-inf")).softmax(3) @ v
        return self.drop(self.W_o(torch.cat(heads.unbind(1), dim=2)))
