import torch
from torch import nn


class LayerNorm(nn.Module):
    def __init__(self, feature_shape, eps=1e-5):
        super().__init__()
        self.axes = tuple(range(-len(feature_shape), 0))
        self.eps = eps
        self.gamma = nn.Parameter(torch.ones(*feature_shape))
        self.beta = nn.Parameter(torch.zeros(*feature_shape))

    def forward(self, x):
        centred = x - x.mean(dim=self.axes, keepdim=True)
        variance = centred.square().mean(dim=self.axes, keepdim=True)
        return self.gamma * centred / (variance + self.eps).sqrt() + self.beta
