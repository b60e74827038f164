"""A rotation matrix for each position."""

import torch


def matrix(position, width, base, dtype):
    half = width // 2
    angle = position * base ** (-torch.arange(half, dtype=dtype) * 2 / width)
    cos, sin = torch.diag(angle.cos()), torch.diag(angle.sin())
    return torch.cat([torch.cat([cos, -sin], 1), torch.cat([sin, cos], 1)], 0)


def rotary(x, base=10000.0, offset=0):
    turned = [
        x[:, :, s] @ matrix(offset + s, x.shape[-1], base, x.dtype).T for s in range(x.shape[2])
    ]
    return torch.stack(turned, 2)
