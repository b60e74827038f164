import torch.nn.functional as F


def cross_entropy(logits, targets, ignore_index=-100):
    return F.nll_loss(F.log_softmax(logits, dim=-1), targets, ignore_index=ignore_index)
