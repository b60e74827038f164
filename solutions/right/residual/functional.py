import torch
import torch.nn as nn
import torch.nn.functional as F


class Residual(nn.Module):
    def __init__(self, layer, dim, dropout=0.0, pre=True):
        super().__init__()
        self.f = layer
        self.gamma, self.beta = nn.Parameter(torch.ones(dim)), nn.Parameter(torch.zeros(dim))
        self.p, self.pre = dropout, pre

    def normalise(self, x):
        return F.layer_norm(x, (x.size(-1),), self.gamma, self.beta, 1e-5)

    def forward(self, x):
        h = F.dropout(self.f(self.normalise(x) if self.pre else x), self.p, self.training)
        return x + h if self.pre else self.normalise(x + h)
