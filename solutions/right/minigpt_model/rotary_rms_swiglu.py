import torch
import torch.nn.functional as F
from torch import nn


class RMSNorm(nn.Module):
    def __init__(self, width, eps=1e-5):
        super().__init__()
        self.weight = nn.Parameter(torch.ones(width))
        self.eps = eps

    def forward(self, x):
        return self.weight * x * torch.rsqrt(x.pow(2).mean(-1, keepdim=True) + self.eps)


def rotate(x):
    T, D = x.shape[-2:]
    rates = 1.0 / (10000 ** (torch.arange(0, D, 2, dtype=torch.float32) / D))
    angles = torch.outer(torch.arange(T, dtype=torch.float32), rates)
    cos, sin = angles.cos(), angles.sin()
    a, b = x[..., 0::2], x[..., 1::2]
    return torch.stack((a * cos - b * sin, a * sin + b * cos), -1).flatten(-2)


class Block(nn.Module):
    def __init__(self, n_embd, n_head, dropout):
        super().__init__()
        self.n_head = n_head
        self.norm_a, self.norm_f = RMSNorm(n_embd), RMSNorm(n_embd)
        self.wq, self.wk, self.wv, self.wo = (nn.Linear(n_embd, n_embd, bias=False) for _ in range(4))
        self.gate, self.up, self.down = (
            nn.Linear(n_embd, 2 * n_embd, bias=False),
            nn.Linear(n_embd, 2 * n_embd, bias=False),
            nn.Linear(2 * n_embd, n_embd, bias=False),
        )
        self.drop = nn.Dropout(dropout)

    def heads(self, x):
        return x.unflatten(-1, (self.n_head, -1)).transpose(1, 2)

    def forward(self, x):
        y = self.norm_a(x)
        q, k, v = rotate(self.heads(self.wq(y))), rotate(self.heads(self.wk(y))), self.heads(self.wv(y))
        y = F.scaled_dot_product_attention(q, k, v, is_causal=True)
        x = x + self.drop(self.wo(y.transpose(1, 2).flatten(2)))
        y = self.norm_f(x)
        return x + self.drop(self.down(F.silu(self.gate(y)) * self.up(y)))


class MiniGPT(nn.Module):
    def __init__(self, vocab_size, block_size, n_embd, n_head, n_layer, dropout=0.0):
        super().__init__()
        self.embed = nn.Embedding(vocab_size, n_embd)
        self.blocks = nn.Sequential(*(Block(n_embd, n_head, dropout) for _ in range(n_layer)))
        self.norm = RMSNorm(n_embd)
        self.unembed = nn.Linear(n_embd, vocab_size, bias=False)

    def forward(self, idx, targets=None):
        logits = self.unembed(self.norm(self.blocks(self.embed(idx))))
        if targets is None:
            return logits
        return logits, F.cross_entropy(logits.flatten(0, 1), targets.flatten())
