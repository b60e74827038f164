"""Both sizes are read from global variables.

loses: has_two_layers
"""

import torch
import torch.nn as nn

INPUT_SIZE = 64
HIDDEN_SIZE = 8


class RNN(nn.Module):
    def __init__(self):
        super().__init__()
        self.W_x = nn.Linear(INPUT_SIZE, HIDDEN_SIZE)
        self.W_h = nn.Linear(HIDDEN_SIZE, HIDDEN_SIZE)

    def forward(self, x, h0=None):
        h = x.new_zeros(x.shape[0], HIDDEN_SIZE) if h0 is None else h0
        outputs = []
        for position in x.unbind(1):
            h = torch.tanh(self.W_x(position) + self.W_h(h))
            outputs.append(h)
        return torch.stack(outputs, 1), h
