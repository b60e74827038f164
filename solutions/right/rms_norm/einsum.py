import torch
import torch.nn as nn


class RMSNorm(nn.Module):
    def __init__(self, dim, eps=1e-6):
        super().__init__()
        self.eps = eps
        self.weight = nn.Parameter(torch.ones(dim))

    def forward(self, x):
        mean = torch.einsum("bse,bse->bs", x, x) / x.shape[-1]
        return torch.einsum("bse,bs,e->bse", x, (mean + self.eps).rsqrt(), self.weight)
