import torch.nn as nn


class Residual(nn.Module):
    def __init__(self, layer, dim, dropout=0.0, pre=True):
        super().__init__()
        self.layer = layer
        self.norm = nn.LayerNorm(dim)
        self.dropout = nn.Dropout(dropout)
        self.pre = pre

    def forward(self, x):
        if self.pre:
            return x + self.dropout(self.layer(self.norm(x)))
        return self.norm(x + self.dropout(self.layer(x)))
