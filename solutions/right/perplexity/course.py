import torch
import torch.nn.functional as F


def perplexity(logits, targets, ignore_index=-100):
    V = logits.shape[-1]
    loss = F.cross_entropy(logits.view(-1, V), targets.view(-1), ignore_index=ignore_index)
    return torch.exp(loss)
