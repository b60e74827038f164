import torch
import torch.nn as nn


class AxialPositions(nn.Module):
    def __init__(self, l1, l2, d1, d2):
        super().__init__()
        self.l1, self.l2 = l1, l2
        self.tables = nn.ParameterList([torch.randn(l1, d1), torch.randn(l2, d2)])

    def forward(self, seq_len):
        vectors = []
        for j in range(seq_len):
            second, first = divmod(j, self.l1)
            vectors.append(torch.cat([self.tables[0][first], self.tables[1][second]]))
        return torch.stack(vectors)
