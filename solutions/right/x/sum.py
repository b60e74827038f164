import torch


def x(x):
    return x - torch.sum(x, dim=2, keepdim=True) / x.shape[2]
