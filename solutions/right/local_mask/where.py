import torch


def local_mask(seq_len, window):
    positions = torch.arange(seq_len, dtype=torch.float32)
    distance = torch.cdist(positions[:, None], positions[:, None], p=1)
    return torch.where(distance <= window, 0, 1).bool()
