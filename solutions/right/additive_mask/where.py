import torch


def to_additive(mask, sense="hides"):
    if sense == "hides":
        return torch.where(mask != 0, float("-inf"), 0.0)
    if sense == "shows":
        return torch.where(mask != 0, 0.0, float("-inf"))
    return mask
