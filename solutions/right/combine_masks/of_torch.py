import torch


def combine_masks(causal, padding):
    return torch.logical_or(causal, padding)
