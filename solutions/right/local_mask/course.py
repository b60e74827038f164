import torch


def local_mask(seq_len, window):
    i = torch.arange(seq_len).unsqueeze(1)
    j = torch.arange(seq_len).unsqueeze(0)
    return torch.abs(i - j) > window
