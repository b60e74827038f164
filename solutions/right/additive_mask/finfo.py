import torch

SENSES = {"hides": True, "shows": False}


def to_additive(mask, sense="hides"):
    if sense not in SENSES:
        return mask
    hidden = mask.bool() == SENSES[sense]
    return hidden.float().mul(torch.finfo(torch.float32).min)
