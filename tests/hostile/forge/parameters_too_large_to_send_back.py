"""Has a parameter of small numbers that just fits the channel, and four times so when sent back as floats.

exercise: feed_forward
checks: treats_positions_alike_and_apart is_not_linear
outcome: failed or raised or out_of_memory
"""

import torch
from torch import nn


class FeedForward(nn.Module):
    def __init__(self, embed_dim, ff_dim=None, dropout=0.1):
        super().__init__()
        self.many = nn.Parameter(torch.zeros(30_000_000, dtype=torch.int8), requires_grad=False)

    def forward(self, x):
        return x
