import torch


def x(x):
    return torch.stack([torch.stack([p - sum(p) / len(p) for p in sequence]) for sequence in x])
