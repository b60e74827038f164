import math

import torch
from torch import nn


def sinusoidal_positions(seq_len, d_model):
    position = torch.arange(seq_len, dtype=torch.float32)[:, None]
    rates = torch.exp(torch.arange(0, d_model, 2) * (-math.log(10000.0) / d_model))
    table = torch.zeros(seq_len, d_model)
    table[:, 0::2] = torch.sin(position * rates)
    table[:, 1::2] = torch.cos(position * rates)
    return table


class SelfAttention(nn.Module):
    def __init__(self, width, heads, dropout):
        super().__init__()
        self.heads, self.depth = heads, width // heads
        self.W_q = nn.Linear(width, width)
        self.W_k = nn.Linear(width, width)
        self.W_v = nn.Linear(width, width)
        self.W_o = nn.Linear(width, width)
        self.dropout = nn.Dropout(dropout)

    def split(self, x):
        return x.view(x.shape[0], x.shape[1], self.heads, self.depth).permute(0, 2, 1, 3)

    def forward(self, x):
        T = x.shape[1]
        q, k, v = self.split(self.W_q(x)), self.split(self.W_k(x)), self.split(self.W_v(x))
        scores = q @ k.transpose(2, 3) / math.sqrt(self.depth)
        scores = scores.masked_fill(torch.triu(torch.ones(T, T), diagonal=1).bool(), -1e9)
        y = self.dropout(scores.softmax(dim=-1)) @ v
        return self.W_o(y.permute(0, 2, 1, 3).reshape(x.shape))


class Layer(nn.Module):
    def __init__(self, width, heads, dropout):
        super().__init__()
        self.attention = SelfAttention(width, heads, dropout)
        self.fc1, self.fc2 = nn.Linear(width, 2 * width), nn.Linear(2 * width, width)
        self.norm1, self.norm2 = nn.LayerNorm(width), nn.LayerNorm(width)
        self.dropout = nn.Dropout(dropout)

    def forward(self, x):
        x = self.norm1(x + self.dropout(self.attention(x)))
        return self.norm2(x + self.dropout(self.fc2(torch.relu(self.fc1(x)))))


class MiniGPT(nn.Module):
    def __init__(self, vocab_size, block_size, n_embd, n_head, n_layer, dropout=0.0):
        super().__init__()
        self.n_embd = n_embd
        self.embedding = nn.Embedding(vocab_size, n_embd)
        self.register_buffer("pe", sinusoidal_positions(block_size, n_embd))
        self.layers = nn.ModuleList([Layer(n_embd, n_head, dropout) for _ in range(n_layer)])
        self.out = nn.Linear(n_embd, vocab_size)

    def forward(self, idx, targets=None):
        x = self.embedding(idx) * math.sqrt(self.n_embd) + self.pe[: idx.size(1)]
        for layer in self.layers:
            x = layer(x)
        logits = self.out(x)
        if targets is None:
            return logits
        return logits, nn.CrossEntropyLoss()(logits.permute(0, 2, 1), targets)
