"""A norm that subtracts the mean, and a gated network with biases."""

import torch
import torch.nn as nn
import torch.nn.functional as F


class RMSNorm(nn.Module):
    def __init__(self, dim, eps=1e-6):
        super().__init__()
        self.eps = eps
        self.weight = nn.Parameter(torch.ones(dim))

    def forward(self, x):
        x = x - x.mean(-1, keepdim=True)
        return x * torch.rsqrt(x.pow(2).mean(-1, keepdim=True) + self.eps) * self.weight


class SwiGLU(nn.Module):
    def __init__(self, dim, hidden_dim):
        super().__init__()
        self.fc_in = nn.Linear(dim, 2 * hidden_dim)
        self.fc_out = nn.Linear(hidden_dim, dim)

    def forward(self, x):
        gate, up = self.fc_in(x).chunk(2, dim=-1)
        return self.fc_out(F.silu(gate) * up)
