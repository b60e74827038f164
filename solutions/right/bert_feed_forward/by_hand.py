import math

import torch
import torch.nn as nn


def gelu(x):
    return 0.5 * x * (1 + torch.erf(x / math.sqrt(2)))


class PositionwiseFeedForward(nn.Module):
    def __init__(self, hidden_size, intermediate_size):
        super().__init__()
        self.fc1, self.fc2 = (
            nn.Linear(hidden_size, intermediate_size),
            nn.Linear(intermediate_size, hidden_size),
        )

    def forward(self, x):
        return self.fc2(gelu(self.fc1(x)))
