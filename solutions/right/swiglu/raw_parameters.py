"""Matrices without layers, and einsum."""

import torch
import torch.nn as nn


class SwiGLU(nn.Module):
    def __init__(self, d_model, d_ff, device=None, dtype=None):
        super().__init__()
        self.w_gate = nn.Parameter(torch.randn(d_ff, d_model, device=device, dtype=dtype) * 0.02)
        self.w_up = nn.Parameter(torch.randn(d_ff, d_model, device=device, dtype=dtype) * 0.02)
        self.w_down = nn.Parameter(torch.randn(d_model, d_ff, device=device, dtype=dtype) * 0.02)

    def forward(self, x):
        gate = torch.einsum("...e,fe->...f", x, self.w_gate)
        up = torch.einsum("...e,fe->...f", x, self.w_up)
        return torch.einsum("...f,ef->...e", gate * torch.sigmoid(gate) * up, self.w_down)
