import torch


def local_mask(seq_len, window):
    return torch.tensor([[abs(i - j) > window for j in range(seq_len)] for i in range(seq_len)])
