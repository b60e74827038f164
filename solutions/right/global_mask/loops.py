import torch


def global_mask(local, is_global):
    B, S = is_global.shape
    mask = torch.zeros(B, S, S, dtype=torch.bool)
    for b in range(B):
        for i in range(S):
            for j in range(S):
                mask[b, i, j] = local[i, j] and not (is_global[b, i] or is_global[b, j])
    return mask
