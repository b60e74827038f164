import torch


def lsh_buckets(x, rotations):
    # The directions and their opposites are put together first, and multiplied once.
    both = torch.cat([rotations, -rotations], dim=-1)
    D, R, n = both.shape
    y = torch.matmul(x, both.reshape(D, R * n)).unflatten(-1, (R, n))
    buckets = y.max(dim=-1).indices + torch.arange(R) * n
    return buckets.transpose(-1, -2)
