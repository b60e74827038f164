"""There is no argument for the place of the norm.

loses: adds_the_layer_of_the_normed_input
"""

import torch.nn as nn


class Residual(nn.Module):
    def __init__(self, sublayer, d_model, dropout=0.0):
        super().__init__()
        self.sublayer = sublayer
        self.layer_norm = nn.LayerNorm(d_model)
        self.drop = nn.Dropout(dropout)

    def forward(self, x):
        return self.layer_norm(x + self.drop(self.sublayer(x)))
