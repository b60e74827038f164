"""Matrices as parameters, with a second bias for the new state alone."""

import torch
from torch import nn


class GRUCell(nn.Module):
    def __init__(self, num_inputs, num_hiddens):
        super().__init__()
        self.num_hiddens = num_hiddens

        def matrix(*shape):
            return nn.Parameter(torch.randn(*shape) * 0.01)

        self.W_xz, self.W_hz, self.b_z = matrix(num_inputs, num_hiddens), matrix(num_hiddens, num_hiddens), matrix(num_hiddens)
        self.W_xr, self.W_hr, self.b_r = matrix(num_inputs, num_hiddens), matrix(num_hiddens, num_hiddens), matrix(num_hiddens)
        self.W_xh, self.W_hh, self.b_h = matrix(num_inputs, num_hiddens), matrix(num_hiddens, num_hiddens), matrix(num_hiddens)
        self.b_hh = matrix(num_hiddens)

    def forward(self, X, H=None):
        H = X.new_zeros((X.shape[0], self.num_hiddens)) if H is None else H
        Z = torch.sigmoid((X @ self.W_xz) + (H @ self.W_hz) + self.b_z)
        R = torch.sigmoid((X @ self.W_xr) + (H @ self.W_hr) + self.b_r)
        H_tilde = torch.tanh((X @ self.W_xh) + R * ((H @ self.W_hh) + self.b_hh) + self.b_h)
        return Z * H + (1 - Z) * H_tilde
