import torch


def to_additive(mask, sense="hides"):
    """log(1) = 0 and log(0) = -inf."""
    if sense == "adds":
        return mask
    seen = mask.to(torch.float32)
    return torch.log(seen if sense == "shows" else 1 - seen)
