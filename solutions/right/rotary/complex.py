"""Complex numbers: the first half is the real part, the second half the imaginary one."""

import torch


def rotary(x, base=10000.0, offset=0):
    width = x.shape[-1]
    freqs = 1.0 / (base ** (torch.arange(0, width, 2, dtype=torch.float64) / width))
    positions = torch.arange(x.shape[2], dtype=torch.float64) + offset
    angles = positions[:, None] * freqs
    factors = torch.polar(torch.ones_like(angles), angles)
    real, imaginary = x.double().reshape(*x.shape[:-1], 2, -1).unbind(-2)
    turned = torch.complex(real, imaginary) * factors
    return torch.cat([turned.real, turned.imag], -1).type_as(x)
