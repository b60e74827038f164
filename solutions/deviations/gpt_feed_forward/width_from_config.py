"""It reads a configuration, which has no inner width, as in many GPTs: that is always four times the model's.

loses: has_two_layers_with_bias
"""

import torch.nn as nn


class PositionwiseFeedForward(nn.Module):
    def __init__(self, cfg):
        super().__init__()
        width = cfg["emb_dim"]
        self.layers = nn.Sequential(nn.Linear(width, 4 * width), nn.GELU(), nn.Linear(4 * width, width))

    def forward(self, x):
        return self.layers(x)
