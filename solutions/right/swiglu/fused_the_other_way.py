"""One layer for both, split into halves: the gate is the second."""

import torch.nn as nn
import torch.nn.functional as F


class SwiGLU(nn.Module):
    def __init__(self, d_model, d_ff):
        super().__init__()
        self.d_ff = d_ff
        self.wide = nn.Linear(d_model, 2 * d_ff, bias=False)
        self.narrow = nn.Linear(d_ff, d_model, bias=False)

    def forward(self, x):
        wide = self.wide(x)
        return self.narrow(wide[..., : self.d_ff] * F.silu(wide[..., self.d_ff :]))
