import torch
from torch import nn


class AxialPositions(nn.Module):
    def __init__(self, l1, l2, d1, d2):
        super().__init__()
        self.l1, self.l2 = l1, l2
        self.E1 = nn.Embedding(l1, d1)
        self.E2 = nn.Embedding(l2, d2)

    def forward(self, seq_len):
        if seq_len > self.l1 * self.l2:
            raise ValueError("too many positions")
        first = self.E1.weight.repeat(self.l2, 1)
        second = self.E2.weight.repeat_interleave(self.l1, dim=0)
        return torch.cat([first, second], dim=1).float()[:seq_len]
