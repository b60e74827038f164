import torch


def cross_entropy(logits, targets, ignore_index=-100):
    classes = torch.arange(logits.shape[-1], device=targets.device)
    wanted = (targets[:, None] == classes) & (targets[:, None] != ignore_index)
    wanted = wanted.to(logits.dtype)
    return -torch.einsum("nc,nc->", wanted, logits.log_softmax(-1)) / wanted.sum()
