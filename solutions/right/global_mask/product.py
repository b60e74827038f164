import torch


def global_mask(local, is_global):
    ordinary = 1 - is_global.float()
    return torch.einsum("ij,bi,bj->bij", local.float(), ordinary, ordinary) > 0
