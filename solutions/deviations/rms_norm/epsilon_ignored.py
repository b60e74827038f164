"""The epsilon is taken and not used: it is always 1e-12.

loses: adds_the_epsilon_that_it_is_given
"""

import torch
from torch import nn


class RMSNorm(nn.Module):
    def __init__(self, dim, eps=1e-6):
        super().__init__()
        self.weight = nn.Parameter(torch.ones(dim))

    def forward(self, x):
        return self.weight * x / torch.sqrt(torch.mean(x * x, dim=-1, keepdim=True) + 1e-12)
