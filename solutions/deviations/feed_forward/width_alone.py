"""The inner width is always four times the model's: there is no argument for it.

loses: has_two_layers_with_bias
"""

import torch.nn.functional as F
from torch import nn


class FeedForward(nn.Module):
    def __init__(self, n_embd, dropout=0.1):
        super().__init__()
        self.wide = nn.Linear(n_embd, n_embd * 4)
        self.back = nn.Linear(n_embd * 4, n_embd)
        self.rate = dropout

    def forward(self, x):
        hidden = F.dropout(F.relu(self.wide(x)), self.rate, self.training)
        return self.back(hidden)
