"""The base is a constant, and no argument.

loses: takes_another_base
"""

import torch


def rotary(x, offset=0):
    D = x.shape[-1]
    speeds = 10000.0 ** (-torch.arange(0, D, 2, dtype=x.dtype) / D)
    angles = (torch.arange(x.shape[2], dtype=x.dtype) + offset)[:, None] * speeds
    first, second = x.chunk(2, -1)
    return torch.cat(
        [first * angles.cos() - second * angles.sin(), second * angles.cos() + first * angles.sin()], -1
    )
