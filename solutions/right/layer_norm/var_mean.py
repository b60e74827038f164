import torch
import torch.nn as nn


class LayerNorm(nn.Module):
    """Parameters with leading axes, and the variance from torch.var_mean."""

    def __init__(self, dim, eps=1e-5):
        super().__init__()
        self.eps = eps
        self.g = nn.Parameter(torch.ones(1, 1, dim))
        self.b = nn.Parameter(torch.zeros(1, 1, dim))

    def forward(self, x):
        var, mean = torch.var_mean(x, dim=2, keepdim=True, correction=0)
        return (x - mean).div(torch.sqrt(var + self.eps)).mul(self.g).add(self.b)
