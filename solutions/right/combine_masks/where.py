import torch


def combine_masks(causal, padding):
    return torch.where(padding, True, causal)
