"""Dropout acts on what the layer is given, not on what it answers.

loses: drops_what_the_layer_answers
"""

from torch import nn


class Residual(nn.Module):
    def __init__(self, layer, dim, dropout=0.0, pre=True):
        super().__init__()
        self.inner = nn.Sequential(nn.Dropout(dropout), layer)
        self.norms = nn.ModuleDict({"pre" if pre else "post": nn.LayerNorm(dim)})

    def forward(self, x):
        if "pre" in self.norms:
            return self.inner(self.norms["pre"](x)) + x
        return self.norms["post"](self.inner(x) + x)
