import torch


def padding_mask(attention_mask):
    B, S = attention_mask.shape
    mask = torch.zeros(B, 1, 1, S, dtype=torch.bool)
    for b in range(B):
        for s in range(S):
            if attention_mask[b, s].item() == 0:
                mask[b, 0, 0, s] = True
    return mask
