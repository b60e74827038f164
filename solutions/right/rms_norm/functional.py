import torch
import torch.nn as nn
import torch.nn.functional as F


class RMSNorm(nn.Module):
    def __init__(self, dim, eps=1e-6):
        super().__init__()
        self.shape, self.eps = (dim,), eps
        self.weight = nn.Parameter(torch.ones(self.shape))

    def forward(self, x):
        return F.rms_norm(x, self.shape, self.weight, self.eps)
