import torch


def local_mask(seq_len, window):
    band = torch.zeros(seq_len, seq_len)
    for offset in range(-window, window + 1):
        if abs(offset) < seq_len:
            band += torch.diag(torch.ones(seq_len - abs(offset)), offset)
    return band == 0
