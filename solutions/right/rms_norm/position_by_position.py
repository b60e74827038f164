import torch
import torch.nn as nn


class RMSNorm(nn.Module):
    def __init__(self, dim, eps=1e-6):
        super().__init__()
        self.dim = dim
        self.eps = eps
        self.weight = nn.Parameter(torch.ones(dim))

    def normalise(self, position):
        squares = (position**2).sum() / self.dim
        return position / (squares + self.eps) ** 0.5 * self.weight

    def forward(self, x):
        return torch.stack([torch.stack([self.normalise(p) for p in sequence]) for sequence in x])
