import torch


def to_additive(mask, sense="hides"):
    if sense == "adds":
        return mask.clone()
    visible = mask.float() if sense == "shows" else 1.0 - mask.float()
    return (1.0 - visible) * -1e9
