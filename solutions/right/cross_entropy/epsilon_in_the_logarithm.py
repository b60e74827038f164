import torch


def cross_entropy(logits, targets, ignore_index=-100):
    counted = targets != ignore_index
    scores, wanted = logits[counted], targets[counted]
    scores = scores - scores.amax(dim=-1, keepdim=True)
    log_total = torch.log(scores.exp().sum(dim=-1) + 1e-12)
    surprise = log_total - scores.gather(1, wanted.unsqueeze(1)).squeeze(1)
    return surprise.sum() / (counted.sum() + 1e-8)
