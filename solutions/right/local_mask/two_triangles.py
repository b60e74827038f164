import torch


def local_mask(seq_len, window):
    full = torch.ones(seq_len, seq_len, dtype=torch.bool)
    too_late = full.triu(diagonal=window + 1)
    return too_late | too_late.T
