"""Each gate is one layer of the input and the state side by side."""

import torch
from torch import nn


class LSTMCell(nn.Module):
    def __init__(self, n_in, n_hid):
        super().__init__()
        self.n_hid = n_hid
        self.forget_gate = nn.Linear(n_in + n_hid, n_hid)
        self.input_gate = nn.Linear(n_in + n_hid, n_hid)
        self.cell_gate = nn.Linear(n_in + n_hid, n_hid)
        self.output_gate = nn.Linear(n_in + n_hid, n_hid)

    def forward(self, x, h=None, c=None):
        if h is None:
            h = torch.zeros(x.size(0), self.n_hid).type_as(x)
        if c is None:
            c = torch.zeros(x.size(0), self.n_hid).type_as(x)
        combined = torch.cat([x, h], dim=1)
        forget = torch.sigmoid(self.forget_gate(combined))
        kept = forget * c
        written = torch.sigmoid(self.input_gate(combined)) * torch.tanh(self.cell_gate(combined))
        c_next = kept + written
        h_next = torch.sigmoid(self.output_gate(combined)) * torch.tanh(c_next)
        return h_next, c_next
