"""The tables of sines and cosines are made at the first call, and made longer where they are too short."""

import torch

tables = {}


def tables_for(width, base, length):
    key = (width, base)
    if key not in tables or tables[key][0].shape[0] < length:
        speeds = base ** (-torch.arange(0, width, 2, dtype=torch.float64) / width)
        angles = torch.arange(2 * length, dtype=torch.float64)[:, None] * speeds[None, :]
        tables[key] = angles.cos(), angles.sin()
    return tables[key]


def rotary(x, base=10000.0, offset=0):
    end = offset + x.shape[2]
    cos, sin = (table[offset:end].to(x.dtype) for table in tables_for(x.shape[-1], base, end))
    left, right = x.chunk(2, dim=-1)
    return torch.cat([left * cos - right * sin, right * cos + left * sin], dim=-1)
