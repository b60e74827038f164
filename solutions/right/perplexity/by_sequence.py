import torch
import torch.nn.functional as F


@torch.no_grad()
def perplexity(scores, labels, ignore=-100):
    total, count = 0.0, 0
    for row, label in zip(scores, labels):
        total += F.cross_entropy(row, label, ignore_index=ignore, reduction="sum")
        count += int((label != ignore).sum())
    return torch.exp(total / count)
