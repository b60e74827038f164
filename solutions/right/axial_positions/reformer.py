import torch
from torch import nn


class AxialPositions(nn.Module):
    """As transformers has it, with the axes exchanged and the columns put back."""

    def __init__(self, l1, l2, d1, d2):
        super().__init__()
        self.axial_pos_shape = (l2, l1)
        self.weights = nn.ParameterList()
        self.weights.append(nn.Parameter(torch.ones(l2, d2)))
        self.weights.append(nn.Parameter(torch.ones(l1, d1)))

    def forward(self, seq_len):
        l2, l1 = self.axial_pos_shape
        if l1 * l2 < seq_len:
            raise ValueError(f"{seq_len} positions are too many")
        slow = self.weights[0][:, None].expand(l2, l1, -1).reshape(l1 * l2, -1)
        fast = self.weights[1][None].expand(l2, l1, -1).reshape(l1 * l2, -1)
        return torch.cat([fast, slow], dim=-1)[:seq_len]
