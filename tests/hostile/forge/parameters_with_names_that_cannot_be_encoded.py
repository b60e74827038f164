"""Names a parameter with half of a character, which no text encoding knows.

exercise: feed_forward
checks: treats_positions_alike_and_apart is_not_linear
outcome: failed or raised
"""

import torch
from torch import nn


class FeedForward(nn.Module):
    def __init__(self, embed_dim, ff_dim=None, dropout=0.1):
        super().__init__()
        self.register_parameter("\ud800", nn.Parameter(torch.ones(1)))

    def forward(self, x):
        return x * 0 * self._parameters["\ud800"]
