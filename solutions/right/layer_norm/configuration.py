"""The width comes from a configuration, the epsilon stands beside it."""

import torch
import torch.nn as nn


class LayerNorm(nn.Module):
    def __init__(self, config, layer_norm_eps=1e-12):
        super().__init__()
        self.weight = nn.Parameter(torch.ones(config.hidden_size))
        self.bias = nn.Parameter(torch.zeros(config.hidden_size))
        self.layer_norm_eps = layer_norm_eps

    def forward(self, hidden):
        hidden = hidden - hidden.mean(-1, keepdim=True)
        variance = hidden.square().mean(-1, keepdim=True)
        return hidden / (variance + self.layer_norm_eps).sqrt() * self.weight + self.bias
