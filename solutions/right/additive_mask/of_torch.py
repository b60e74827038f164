import torch
from torch.nn.functional import _canonical_mask


def to_additive(mask, sense="hides"):
    if sense == "adds":
        return mask
    hides = mask.to(torch.bool) if sense == "hides" else mask.to(torch.bool).logical_not()
    return _canonical_mask(hides, "mask", None, "", torch.float32)
