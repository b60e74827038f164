import torch


def local_mask(seq_len, window):
    mask = torch.ones(seq_len, seq_len, dtype=torch.bool)
    for i in range(seq_len):
        for j in range(max(0, i - window), min(seq_len, i + window + 1)):
            mask[i, j] = False
    return mask
