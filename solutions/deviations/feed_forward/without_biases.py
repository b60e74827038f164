"""ReLU between two layers without biases: doubling the input doubles the output.

loses: has_two_layers_with_bias
"""

import torch.nn as nn


class FeedForward(nn.Module):
    def __init__(self, embed_dim, ff_dim=None, dropout=0.1):
        super().__init__()
        ff_dim = 4 * embed_dim if ff_dim is None else ff_dim
        self.linear1 = nn.Linear(embed_dim, ff_dim, bias=False)
        self.linear2 = nn.Linear(ff_dim, embed_dim, bias=False)
        self.dropout = nn.Dropout(dropout)

    def forward(self, x):
        return self.linear2(self.dropout(self.linear1(x).relu()))
