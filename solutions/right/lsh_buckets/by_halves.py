import torch


def lsh_buckets(x, rotations):
    y = torch.tensordot(x, rotations, dims=([-1], [0]))  # (..., S, R, n / 2)
    high, where_high = y.max(-1)
    low, where_low = y.min(-1)
    half = rotations.shape[-1]
    index = torch.where(high >= -low, where_high, half + where_low)
    return (index + 2 * half * torch.arange(rotations.shape[1])).movedim(-1, -2)
