"""Later positions are read by a call of itself; both parts are an einsum."""

import torch
from torch import nn


class RNN(nn.Module):
    def __init__(self, input_size, hidden_size):
        super().__init__()
        self.U = nn.Linear(input_size, hidden_size, bias=False)
        self.W = nn.Linear(hidden_size, hidden_size, bias=True)

    def forward(self, x, h0=None):
        if h0 is None:
            h0 = torch.zeros_like(self.U(x[:, 0]))
        from_x = torch.einsum("hi,bi->bh", self.U.weight, x[:, 0])
        from_h = torch.einsum("hj,bj->bh", self.W.weight, h0)
        h = (from_x + from_h + self.W.bias).tanh()
        if x.shape[1] == 1:
            return h[:, None], h
        later, last = self(x[:, 1:], h)
        return torch.cat([h[:, None], later], 1), last
