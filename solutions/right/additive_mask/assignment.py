import torch


def to_additive(mask, sense="hides"):
    match sense:
        case "adds":
            return mask
        case "hides":
            hidden = mask == 1
        case "shows":
            hidden = mask == 0
    additive = torch.zeros(hidden.size())
    additive[hidden] = -torch.inf
    return additive
