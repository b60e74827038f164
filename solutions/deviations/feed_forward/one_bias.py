"""The second layer has no bias.

loses: has_two_layers_with_bias
"""

import torch.nn as nn


class FeedForward(nn.Module):
    def __init__(self, embed_dim, ff_dim=None, dropout=0.1):
        super().__init__()
        hidden = ff_dim or 4 * embed_dim
        self.net = nn.Sequential(
            nn.Linear(embed_dim, hidden),
            nn.ReLU(),
            nn.Dropout(dropout),
            nn.Linear(hidden, embed_dim, bias=False),
        )

    def forward(self, x):
        return self.net(x)
