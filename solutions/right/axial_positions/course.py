import torch
from torch import nn


class AxialPositions(nn.Module):
    def __init__(self, l1, l2, d1, d2):
        super().__init__()
        self.l1 = l1
        self.l2 = l2
        self.E1 = nn.Embedding(l1, d1)
        self.E2 = nn.Embedding(l2, d2)

    def forward(self, seq_len):
        j = torch.arange(seq_len)
        return torch.cat([self.E1(j % self.l1), self.E2(j // self.l1)], dim=-1)
