"""All matrices of a kind in one tensor with an axis for the gates."""

import torch
from torch import nn


class LSTMCell(nn.Module):
    def __init__(self, input_size, hidden_size):
        super().__init__()
        self.hidden_size = hidden_size
        self.kernel = nn.Parameter(torch.randn(4, hidden_size, input_size) / input_size**0.5)
        self.recurrent = nn.Parameter(torch.randn(4, hidden_size, hidden_size) / hidden_size**0.5)
        self.bias = nn.Parameter(torch.zeros(4, hidden_size))

    def forward(self, x, h=None, c=None):
        h = torch.zeros_like(x[:, :1]).repeat(1, self.hidden_size) if h is None else h
        c = torch.zeros_like(h) if c is None else c
        z = torch.einsum("khi,bi->kbh", self.kernel, x) + torch.einsum("khj,bj->kbh", self.recurrent, h)
        i, f, o, g = z + self.bias[:, None]
        i, f, o = (1 / (1 + torch.exp(-gate)) for gate in (i, f, o))
        new = f * c + i * torch.tanh(g)
        return o * torch.tanh(new), new
