import torch


def global_mask(local, is_global):
    either = is_global[:, :, None] + is_global[:, None, :]
    return torch.where(either, torch.tensor(False), local)
