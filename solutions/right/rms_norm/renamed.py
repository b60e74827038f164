import torch
import torch.nn as nn


class RMSNorm(nn.Module):
    def __init__(self, dim, eps=1e-6):
        super().__init__()
        self.gamma = nn.Parameter(torch.ones(1, 1, dim))
        self.epsilon = eps

    def forward(self, x):
        mean = torch.mean(x * x, dim=2).unsqueeze(2)
        return x / torch.sqrt(mean + self.epsilon) * self.gamma
