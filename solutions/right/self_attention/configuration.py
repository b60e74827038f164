"""Sizes come from a configuration, which has a number of heads too: here there is one."""

import math

import torch
import torch.nn as nn


class SelfAttention(nn.Module):
    def __init__(self, config):
        super().__init__()
        width = config.hidden_dim // config.n_head
        self.to_query = nn.Linear(config.hidden_dim, width)
        self.to_key = nn.Linear(config.hidden_dim, width)
        self.to_value = nn.Linear(config.hidden_dim, width)
        self.scale = 1 / math.sqrt(width)

    def forward(self, x, mask=None):
        scores = torch.bmm(self.to_query(x), self.to_key(x).transpose(1, 2)) * self.scale
        if mask is not None:
            scores = scores.masked_fill(mask, -math.inf)
        weights = torch.softmax(scores, dim=2)
        return torch.bmm(weights, self.to_value(x)), weights
