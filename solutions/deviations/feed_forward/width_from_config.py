"""It reads a configuration, which has no inner width, as in many GPTs: that is always four times the model's.

loses: has_two_layers_with_bias
"""

import torch.nn as nn


class FeedForward(nn.Module):
    def __init__(self, config):
        super().__init__()
        self.expand = nn.Linear(config.n_embd, 4 * config.n_embd)
        self.act = nn.GELU()
        self.shrink = nn.Linear(4 * config.n_embd, config.n_embd)
        self.drop = nn.Dropout(config.dropout)

    def forward(self, x):
        return self.drop(self.shrink(self.act(self.expand(x))))
