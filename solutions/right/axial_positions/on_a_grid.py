import torch
from torch import nn


class AxialPositions(nn.Module):
    def __init__(self, l1, l2, d1, d2):
        super().__init__()
        self.size = l2, l1
        self.columns = nn.Parameter(torch.randn(1, 1, l1, d1))
        self.rows = nn.Parameter(torch.randn(1, l2, 1, d2))

    def forward(self, seq_len):
        grid = [table.expand(1, *self.size, -1) for table in (self.columns, self.rows)]
        vectors = torch.cat(grid, dim=-1).flatten(0, 2)
        assert seq_len <= len(vectors), "there are fewer positions"
        return vectors[:seq_len]
