"""Both gates are layers of the input and the state side by side; z is the share of what is new."""

import torch
from torch import nn


class GRUCell(nn.Module):
    def __init__(self, n_embd, n_embd2):
        super().__init__()
        self.width = n_embd2
        self.xh_to_z = nn.Linear(n_embd + n_embd2, n_embd2)
        self.xh_to_r = nn.Linear(n_embd + n_embd2, n_embd2)
        self.x_to_hbar = nn.Linear(n_embd, n_embd2)
        self.h_to_hbar = nn.Linear(n_embd2, n_embd2)

    def forward(self, xt, hprev=None):
        hprev = torch.zeros((xt.shape[0], self.width), device=xt.device) if hprev is None else hprev
        xh = torch.cat([xt, hprev], dim=1)
        r = torch.sigmoid(self.xh_to_r(xh))
        hbar = torch.tanh(self.x_to_hbar(xt) + r * self.h_to_hbar(hprev))
        z = torch.sigmoid(self.xh_to_z(xh))
        return (1 - z) * hprev + z * hbar
