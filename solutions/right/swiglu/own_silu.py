"""An activation of its own, and a gate in a module of its own."""

import torch
import torch.nn as nn


class Swish(nn.Module):
    def forward(self, z):
        return z / (1 + torch.exp(-z))


class Gate(nn.Module):
    def __init__(self, inner, outer):
        super().__init__()
        self.layer = nn.Linear(inner, outer, bias=False)
        self.swish = Swish()

    def forward(self, x):
        return self.swish(self.layer(x))


class SwiGLU(nn.Module):
    def __init__(self, dim, hidden_dim):
        super().__init__()
        self.gate = Gate(dim, hidden_dim)
        self.value = nn.Linear(dim, hidden_dim, bias=False)
        self.out = nn.Linear(hidden_dim, dim, bias=False)

    def forward(self, x):
        return self.out(torch.mul(self.gate(x), self.value(x)))
