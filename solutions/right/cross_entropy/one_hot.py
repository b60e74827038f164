import torch
import torch.nn.functional as F


def cross_entropy(logits, targets, ignore_index=-100):
    weights = (targets != ignore_index).to(logits.dtype)
    safe = torch.where(targets == ignore_index, torch.zeros_like(targets), targets)
    y = F.one_hot(safe, num_classes=logits.size(1)).to(logits.dtype)
    maximum = logits.max(dim=1, keepdim=True).values
    shifted = logits - maximum
    log_y_hat = shifted - torch.log(torch.exp(shifted).sum(dim=1, keepdim=True))
    losses = -(y * log_y_hat).sum(dim=1)
    return (losses * weights).sum() / weights.sum()
