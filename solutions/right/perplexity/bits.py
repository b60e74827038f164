import math

import torch


def perplexity(logits, targets, ignore_index=-100):
    keep = targets != ignore_index
    rows, ids = logits[keep], targets[keep]
    rows = rows - rows.max(dim=-1, keepdim=True).values
    bits = (rows.exp().sum(-1).log() - rows[torch.arange(len(ids)), ids]) / math.log(2)
    return 2.0 ** bits.mean()
