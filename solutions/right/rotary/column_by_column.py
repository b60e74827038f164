import math

import torch


def rotary(x, base=10000.0, offset=0):
    x = x.clone()
    half = x.size(3) // 2
    result = torch.empty_like(x)
    for s in range(x.size(2)):
        for i in range(half):
            angle = (offset + s) / base ** (2 * i / x.size(3))
            a, b = x[:, :, s, i], x[:, :, s, i + half]
            result[:, :, s, i] = a * math.cos(angle) - b * math.sin(angle)
            result[:, :, s, i + half] = b * math.cos(angle) + a * math.sin(angle)
    return result
