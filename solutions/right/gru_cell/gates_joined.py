"""One layer of the state and the input makes both gates."""

import torch
from torch import nn


class GRUCell(nn.Module):
    def __init__(self, in_dim, hidden_dim):
        super().__init__()
        self.hidden_dim = hidden_dim
        self.gates = nn.Linear(hidden_dim + in_dim, 2 * hidden_dim)
        self.new_x = nn.Linear(in_dim, hidden_dim)
        self.new_h = nn.Linear(hidden_dim, hidden_dim)

    def forward(self, x, h=None):
        h = torch.zeros(x.shape[0], self.hidden_dim, dtype=x.dtype) if h is None else h
        update, reset = self.gates(torch.cat([h, x], dim=-1)).sigmoid().split(self.hidden_dim, dim=-1)
        return torch.lerp((self.new_x(x) + reset * self.new_h(h)).tanh(), h, update)
