import math

import torch
import torch.nn as nn


class PositionwiseFeedForward(nn.Module):
    def __init__(self, hidden_size, intermediate_size):
        super().__init__()
        self.fc1 = nn.Linear(hidden_size, intermediate_size)
        self.fc2 = nn.Linear(intermediate_size, hidden_size)

    def forward(self, x):
        y = torch.einsum("bse,fe->bsf", x, self.fc1.weight) + self.fc1.bias
        y = y * 0.5 * (1 + torch.tanh(math.sqrt(2 / math.pi) * (y + 0.044715 * y**3)))
        return y @ self.fc2.weight.T + self.fc2.bias
