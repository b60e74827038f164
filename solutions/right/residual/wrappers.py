import torch.nn as nn


class PreNorm(nn.Module):
    def __init__(self, dim, fn):
        super().__init__()
        self.norm = nn.LayerNorm(dim)
        self.fn = fn

    def forward(self, x):
        return self.fn(self.norm(x))


class Add(nn.Module):
    def __init__(self, fn, dropout):
        super().__init__()
        self.fn, self.dropout = fn, nn.Dropout(dropout)

    def forward(self, x):
        return self.dropout(self.fn(x)) + x


class Residual(nn.Module):
    def __init__(self, layer, dim, dropout=0.0, pre=True):
        super().__init__()
        if pre:
            self.body = Add(PreNorm(dim, layer), dropout)
        else:
            self.body = nn.Sequential(Add(layer, dropout), nn.LayerNorm(dim))

    def forward(self, x):
        return self.body(x)
