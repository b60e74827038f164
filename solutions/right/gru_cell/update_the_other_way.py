"""z is the share of what is new; the names are the contract's."""

import torch
from torch import nn


class GRUCell(nn.Module):
    def __init__(self, input_size, hidden_size):
        super().__init__()
        self.hidden_size = hidden_size
        self.W_r, self.W_z, self.W_n = [nn.Linear(input_size, hidden_size) for _ in range(3)]
        self.U_r, self.U_z, self.U_n = [nn.Linear(hidden_size, hidden_size) for _ in range(3)]

    def forward(self, x, h=None):
        if h is None:
            h = x.new_zeros(x.size(0), self.hidden_size)
        reset = (self.W_r(x) + self.U_r(h)).sigmoid()
        update = (self.W_z(x) + self.U_z(h)).sigmoid()
        new = (self.W_n(x) + reset * self.U_n(h)).tanh()
        return h + update * (new - h)
