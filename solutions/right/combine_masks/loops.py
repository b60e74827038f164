import torch


def combine_masks(causal, padding):
    masks = []
    for keys in padding:
        rows = [row | keys[0, 0] for row in causal]
        masks.append(torch.stack(rows).unsqueeze(0))
    return torch.stack(masks)
