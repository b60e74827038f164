"""Matrices as parameters, one of each kind and gate, and one bias for each gate."""

import torch
from torch import nn


class LSTMCell(nn.Module):
    def __init__(self, num_inputs, num_hiddens, sigma=0.01):
        super().__init__()
        self.num_hiddens = num_hiddens

        def triple():
            return (
                nn.Parameter(torch.randn(num_inputs, num_hiddens) * sigma),
                nn.Parameter(torch.randn(num_hiddens, num_hiddens) * sigma),
                nn.Parameter(torch.zeros(num_hiddens)),
            )

        self.W_xi, self.W_hi, self.b_i = triple()
        self.W_xf, self.W_hf, self.b_f = triple()
        self.W_xo, self.W_ho, self.b_o = triple()
        self.W_xc, self.W_hc, self.b_c = triple()

    def forward(self, X, H=None, C=None):
        H = X.new_zeros((X.shape[0], self.num_hiddens)) if H is None else H
        C = X.new_zeros((X.shape[0], self.num_hiddens)) if C is None else C
        I = torch.sigmoid(X @ self.W_xi + H @ self.W_hi + self.b_i)
        F = torch.sigmoid(X @ self.W_xf + H @ self.W_hf + self.b_f)
        O = torch.sigmoid(X @ self.W_xo + H @ self.W_ho + self.b_o)
        C_tilde = torch.tanh(X @ self.W_xc + H @ self.W_hc + self.b_c)
        C = F * C + I * C_tilde
        return O * torch.tanh(C), C
