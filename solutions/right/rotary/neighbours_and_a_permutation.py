"""Neighbours are turned, after the columns were put in another order and before they are put back."""

import torch


def rotary(x, base=10000.0, offset=0):
    B, H, S, D = x.shape
    pairs = x.reshape(B, H, S, 2, D // 2).transpose(-1, -2)
    exponents = torch.arange(0, D, 2).to(x.dtype) / D
    positions = torch.arange(offset, offset + S).to(x.dtype)
    angles = positions.unsqueeze(1) / torch.pow(torch.tensor(base, dtype=x.dtype), exponents)
    even, odd = pairs[..., 0], pairs[..., 1]
    turned = torch.stack(
        [even * angles.cos() - odd * angles.sin(), even * angles.sin() + odd * angles.cos()], -1
    )
    return turned.transpose(-1, -2).reshape(B, H, S, D)
