import torch


def x(x):
    return x - x.mean(dim=-1, keepdim=True)
