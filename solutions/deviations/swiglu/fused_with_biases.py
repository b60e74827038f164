"""One layer for the gate and what passes it; both layers have a bias.

loses: has_three_layers_without_bias
"""

import torch.nn as nn
import torch.nn.functional as F


class SwiGLU(nn.Module):
    def __init__(self, dim, hidden_dim):
        super().__init__()
        self.wide = nn.Linear(dim, 2 * hidden_dim)
        self.narrow = nn.Linear(hidden_dim, dim)

    def forward(self, x):
        gate, up = self.wide(x).chunk(2, dim=-1)
        return self.narrow(F.silu(gate) * up)
