import torch


def local_mask(seq_len, window):
    offsets = torch.arange(-window, window + 1)
    keys = torch.arange(seq_len)[:, None] + offsets
    # Keys outside the sequence land in two columns that are cut off.
    keys = (keys + 1).clamp(0, seq_len + 1)
    mask = torch.ones(seq_len, seq_len + 2, dtype=torch.bool)
    return mask.scatter(1, keys, False)[:, 1:-1].contiguous()
