import math

import torch
from torch import nn


class MiniGPT(nn.Module):
    """All in one class: no norms, the mask and the sinusoids kept as parameters that do not learn."""

    def __init__(self, vocab_size, block_size, n_embd, n_head, n_layer, dropout=0.0):
        super().__init__()
        self.n_head = n_head
        self.tok = nn.Embedding(vocab_size, n_embd)
        self.mask = nn.Parameter(torch.full((block_size, block_size), -1e9).triu(1), requires_grad=False)
        pe = torch.zeros(block_size, n_embd)
        for pos in range(block_size):
            for i in range(0, n_embd, 2):
                pe[pos, i] = math.sin(pos / 10000 ** (i / n_embd))
                pe[pos, i + 1] = math.cos(pos / 10000 ** (i / n_embd))
        self.pe = nn.Parameter(pe, requires_grad=False)
        self.qkv = nn.ModuleList(nn.Linear(n_embd, 3 * n_embd) for _ in range(n_layer))
        self.proj = nn.ModuleList(nn.Linear(n_embd, n_embd) for _ in range(n_layer))
        self.up = nn.ModuleList(nn.Linear(n_embd, 4 * n_embd) for _ in range(n_layer))
        self.down = nn.ModuleList(nn.Linear(4 * n_embd, n_embd) for _ in range(n_layer))
        self.drop = nn.Dropout(dropout)
        self.head = nn.Linear(n_embd, vocab_size)

    def forward(self, idx, targets=None):
        B, T = idx.shape
        x = self.drop(self.tok(idx) + self.pe[:T])
        for qkv, proj, up, down in zip(self.qkv, self.proj, self.up, self.down):
            q, k, v = qkv(x).view(B, T, 3, self.n_head, -1).permute(2, 0, 3, 1, 4)
            weights = torch.softmax(q @ k.mT / q.shape[-1] ** 0.5 + self.mask[:T, :T], -1)
            x = x + self.drop(proj((weights @ v).transpose(1, 2).reshape(B, T, -1)))
            x = x + self.drop(down(torch.tanh(up(x))))
        logits = self.head(x)
        if targets is None:
            return logits, None
        picked = logits.log_softmax(-1).gather(2, targets[..., None])
        return logits, -picked.mean()
