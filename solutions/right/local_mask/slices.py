import torch


def local_mask(seq_len, window):
    mask = torch.full((seq_len, seq_len), True)
    for i in range(seq_len):
        mask[i, max(0, i - window) : i + window + 1] = False
    return mask
