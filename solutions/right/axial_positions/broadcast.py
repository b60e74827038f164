import torch
from torch import nn


class AxialPositions(nn.Module):
    def __init__(self, l1, l2, d1, d2):
        super().__init__()
        self.size = (l2, l1)
        self.E1 = nn.Parameter(torch.randn(l1, d1))
        self.E2 = nn.Parameter(torch.randn(l2, d2))

    def forward(self, seq_len):
        assert seq_len <= self.size[0] * self.size[1]
        first = self.E1.unsqueeze(0).expand(*self.size, -1)
        second = self.E2.unsqueeze(1).expand(*self.size, -1)
        return torch.cat((first, second), -1).flatten(0, 1)[:seq_len]
