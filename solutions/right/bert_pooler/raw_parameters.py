import math

import torch
from torch import nn


class BertPooler(nn.Module):
    def __init__(self, hidden_size):
        super().__init__()
        bound = 1 / math.sqrt(hidden_size)
        self.W = nn.Parameter(torch.empty(hidden_size, hidden_size).uniform_(-bound, bound))
        self.b = nn.Parameter(torch.zeros(hidden_size))

    def forward(self, hidden_states):
        return ((hidden_states @ self.W + self.b).tanh())[:, 0]
