import torch
import torch.nn as nn

log_softmax = nn.LogSoftmax(dim=1)


def cross_entropy(logits, targets, ignore_index=-100):
    mask = targets.ne(ignore_index)
    index = targets.masked_fill(~mask, 0).unsqueeze(1)
    nll = -log_softmax(logits).gather(1, index).squeeze(1)
    return nll.masked_select(mask).mean()
