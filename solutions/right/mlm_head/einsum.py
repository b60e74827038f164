import torch
from torch import nn


class MaskedLMHead(nn.Module):
    def __init__(self, vocab_size, hidden_size):
        super().__init__()
        self.net = nn.Sequential(
            nn.Linear(hidden_size, hidden_size), nn.GELU(approximate="tanh"), nn.LayerNorm(hidden_size)
        )
        self.b = nn.Parameter(torch.zeros(vocab_size))

    def forward(self, h, table):
        return torch.einsum("bse,ve->bsv", self.net(h), table) + self.b
