"""The sizes come from a configuration."""

import torch
from torch import nn


class RMSNorm(nn.Module):
    def __init__(self, config):
        super().__init__()
        self.scale = nn.Parameter(torch.ones(config.dim))
        self.variance_epsilon = config.eps

    def forward(self, hidden_states):
        variance = hidden_states.pow(2).mean(-1, keepdim=True)
        return self.scale * (hidden_states * torch.rsqrt(variance + self.variance_epsilon))
