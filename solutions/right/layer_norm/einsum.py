import torch
from torch import nn


class LayerNorm(nn.Module):
    def __init__(self, dim, eps=1e-5):
        super().__init__()
        self.dim, self.eps = dim, eps
        self.scale = nn.Parameter(torch.ones(dim))
        self.shift = nn.Parameter(torch.zeros(dim))

    def forward(self, x):
        centred = x - torch.einsum("bse->bs", x)[..., None] / self.dim
        variance = torch.einsum("bse,bse->bs", centred, centred)[..., None] / self.dim
        return torch.einsum("bse,e->bse", centred * (variance + self.eps).rsqrt(), self.scale) + self.shift
