"""A layer for the input and one for the state, each cut into three pieces."""

import torch
from torch import nn


class GRUCell(nn.Module):
    def __init__(self, input_size, hidden_size, bias=True):
        super().__init__()
        self.hidden_size = hidden_size
        self.x2h = nn.Linear(input_size, 3 * hidden_size, bias=bias)
        self.h2h = nn.Linear(hidden_size, 3 * hidden_size, bias=bias)

    def forward(self, inputs, hx=None):
        if hx is None:
            hx = inputs.new_zeros(inputs.size(0), self.hidden_size)
        x_reset, x_upd, x_new = self.x2h(inputs).chunk(3, 1)
        h_reset, h_upd, h_new = self.h2h(hx).chunk(3, 1)
        reset_gate = torch.sigmoid(x_reset + h_reset)
        update_gate = torch.sigmoid(x_upd + h_upd)
        new_gate = torch.tanh(x_new + reset_gate * h_new)
        return update_gate * hx + (1 - update_gate) * new_gate
