import torch
from torch import nn


class AxialPositions(nn.Module):
    def __init__(self, l1, l2, d1, d2):
        super().__init__()
        self.l1 = l1
        self.E1 = nn.Embedding(l1, d1)
        self.E2 = nn.Embedding(l2, d2)

    def forward(self, seq_len):
        position_ids = torch.arange(seq_len).unsqueeze(0)
        e1 = self.E1(position_ids.remainder(self.l1))
        e2 = self.E2(position_ids.floor_divide(self.l1))
        return torch.cat([e1, e2], dim=2)
