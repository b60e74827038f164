"""The length of each position over the root of E is its root mean square."""

import math

import torch
from torch import nn


class RMSNorm(nn.Module):
    def __init__(self, size, e=1e-8):
        super().__init__()
        self.e = e
        self.g = nn.Parameter(torch.ones(size))

    def forward(self, x):
        length = torch.linalg.vector_norm(x, dim=-1, keepdim=True)
        rms = torch.sqrt(length**2 / x.size(-1) + self.e)
        return self.g * x / rms
