"""The inner width is always the model's own: there is no argument for it.

loses: has_two_layers_with_bias
"""

import torch.nn as nn


class FeedForward(nn.Module):
    def __init__(self, dim, dropout=0.1):
        super().__init__()
        self.first, self.second = nn.Linear(dim, dim), nn.Linear(dim, dim)
        self.act, self.drop = nn.ReLU(), nn.Dropout(dropout)

    def forward(self, x):
        return self.second(self.drop(self.act(self.first(x))))
