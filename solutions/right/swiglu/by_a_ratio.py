"""How many times wider it is between the layers is the argument; both layers from the input are one."""

import torch.nn as nn


class SwiGLU(nn.Module):
    def __init__(self, d_model, expansion=4, dropout=0.0):
        super().__init__()
        inner = d_model * expansion
        self.both = nn.Linear(d_model, 2 * inner, bias=False)
        self.back = nn.Linear(inner, d_model, bias=False)
        self.activation = nn.SiLU()
        self.dropout = nn.Dropout(dropout)

    def forward(self, x):
        gated, values = self.both(x).chunk(2, dim=-1)
        return self.dropout(self.back(self.activation(gated) * values))
