import math

import torch
import torch.nn as nn


def gelu(x):
    return 0.5 * x * (1 + torch.erf(x / math.sqrt(2)))


class PositionwiseFeedForward(nn.Module):
    def __init__(self, hidden_size, intermediate_size):
        super().__init__()
        self.fc1 = nn.Linear(hidden_size, intermediate_size, bias=True)
        self.fc2 = nn.Linear(intermediate_size, hidden_size, bias=True)

    def forward(self, x):
        hidden = gelu(torch.einsum("bse,fe->bsf", x, self.fc1.weight) + self.fc1.bias)
        return torch.einsum("bsf,ef->bse", hidden, self.fc2.weight) + self.fc2.bias
