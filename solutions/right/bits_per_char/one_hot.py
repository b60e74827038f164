import torch
import torch.nn.functional as F


def bits_per_char(logits, targets, lengths=None, pad=-100):
    mask = (targets != pad)
    hot = F.one_hot(torch.where(mask, targets, 0), logits.shape[-1]) * mask[..., None]
    chars = hot.sum() if lengths is None else (hot * lengths).sum()
    nats = logits.logsumexp(-1)[mask].sum() - (hot * logits).sum()
    return nats * 1.4426950408889634 / chars
