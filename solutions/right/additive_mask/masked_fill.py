import torch


def to_additive(mask, sense="hides"):
    if sense == "adds":
        return mask
    mask = mask.bool()
    if sense == "shows":
        mask = ~mask
    return torch.zeros(mask.shape, dtype=torch.float32).masked_fill(mask, float("-inf"))
