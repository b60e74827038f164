import torch


def x(x):
    width = x.shape[-1]
    return x @ (torch.eye(width, dtype=x.dtype) - 1 / width)
