import math

import torch
import torch.nn as nn
import torch.nn.functional as F


class FeedForward(nn.Module):
    def __init__(self, embed_dim, ff_dim=None, dropout=0.1):
        super().__init__()
        ff_dim = ff_dim if ff_dim is not None else embed_dim * 4
        self.linear1 = nn.Linear(embed_dim, ff_dim)
        self.linear2 = nn.Linear(ff_dim, embed_dim)
        self.drop = nn.Dropout(p=dropout)
        self.activation = F.gelu

    def forward(self, x):
        h = self.activation(x @ self.linear1.weight.T + self.linear1.bias)
        return self.drop(h) @ self.linear2.weight.T + self.linear2.bias
