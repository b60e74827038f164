import torch


def x(x):
    turned = x.transpose(0, 2)
    return torch.sub(turned, turned.mean(0)).transpose(0, 2)
