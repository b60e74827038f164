"""A layer for the input and one for the state, cut into four pieces, in PyTorch's order."""

import torch
from torch import nn


class LSTMCell(nn.Module):
    def __init__(self, input_size, hidden_size, bias=True):
        super().__init__()
        self.hidden_size = hidden_size
        self.x2h = nn.Linear(input_size, 4 * hidden_size, bias=bias)
        self.h2h = nn.Linear(hidden_size, 4 * hidden_size, bias=bias)

    def forward(self, x, hx=None, cx=None):
        hx = x.new_zeros(x.size(0), self.hidden_size) if hx is None else hx
        cx = x.new_zeros(x.size(0), self.hidden_size) if cx is None else cx
        gates = self.x2h(x) + self.h2h(hx)
        input_gate, forget_gate, cell_gate, output_gate = gates.chunk(4, 1)
        cy = cx * forget_gate.sigmoid() + input_gate.sigmoid() * cell_gate.tanh()
        return output_gate.sigmoid() * cy.tanh(), cy
