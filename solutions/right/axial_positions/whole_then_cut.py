import torch
from torch import nn


class AxialPositions(nn.Module):
    def __init__(self, l1, l2, d1, d2):
        super().__init__()
        self.rows = nn.Parameter(torch.zeros(l1, d1))
        self.columns = nn.Parameter(torch.zeros(l2, d2))
        nn.init.normal_(self.rows, std=0.02)
        nn.init.normal_(self.columns, std=0.02)

    def forward(self, seq_len):
        l1, l2 = len(self.rows), len(self.columns)
        if seq_len > l1 * l2:
            raise ValueError("too many positions")
        table = torch.cat([self.rows.repeat(l2, 1), self.columns.repeat_interleave(l1, dim=0)], dim=1)
        return table[:seq_len]
