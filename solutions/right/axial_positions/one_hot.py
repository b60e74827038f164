import torch
from torch import nn
from torch.nn import functional


class AxialPositions(nn.Module):
    def __init__(self, l1, l2, d1, d2):
        super().__init__()
        self.l1, self.l2 = l1, l2
        self.first = nn.Linear(l1, d1, bias=False)
        self.second = nn.Linear(l2, d2, bias=False)

    def forward(self, seq_len):
        j = torch.arange(seq_len)
        one = functional.one_hot(j % self.l1, self.l1).to(self.first.weight.dtype)
        two = functional.one_hot(torch.div(j, self.l1, rounding_mode="floor"), self.l2)
        return torch.hstack([self.first(one), self.second(two.to(self.second.weight.dtype))])
