import torch
from torch import nn


class LayerNorm(nn.Module):
    def __init__(self, features, eps=1e-6):
        super().__init__()
        self.a_2 = nn.Parameter(torch.ones(features))
        self.b_2 = nn.Parameter(torch.zeros(features))
        self.eps = eps

    def forward(self, x):
        mean = x.mean(-1, keepdim=True)
        var = x.var(-1, keepdim=True, unbiased=False)
        return self.a_2 * (x - mean) / torch.sqrt(var + self.eps) + self.b_2


class Residual(nn.Module):
    def __init__(self, sublayer, size, dropout=0.0, pre=True):
        super().__init__()
        self.sublayer, self.norm = sublayer, LayerNorm(size)
        self.drop = nn.Dropout(dropout)
        self.pre = pre

    def forward(self, x):
        residual = x
        if self.pre:
            x = self.norm(x)
        x = residual + self.drop(self.sublayer(x))
        return x if self.pre else self.norm(x)
