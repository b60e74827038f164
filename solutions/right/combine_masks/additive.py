import torch


def combine_masks(causal, padding):
    additive = torch.zeros(causal.shape).masked_fill(causal, float("-inf"))
    additive = additive + torch.zeros(padding.shape).masked_fill(padding, float("-inf"))
    return additive < 0
