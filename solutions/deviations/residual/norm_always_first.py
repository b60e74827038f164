"""There is no argument for the place of the norm.

loses: norms_the_sum_on_request
"""

import torch.nn as nn


class Residual(nn.Module):
    def __init__(self, sublayer, d_model, dropout=0.0):
        super().__init__()
        self.sublayer = sublayer
        self.layer_norm = nn.LayerNorm(d_model, eps=1e-6)
        self.drop = nn.Dropout(dropout)

    def forward(self, x):
        return x + self.drop(self.sublayer(self.layer_norm(x)))
