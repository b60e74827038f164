import math

import torch.nn.functional as F


def bits_per_char(logits, targets, lengths=None, ignore_index=-100):
    V = logits.size(-1)
    y = targets.reshape(-1)
    nats = F.cross_entropy(logits.reshape(-1, V), y, ignore_index=ignore_index, reduction="sum")
    y = y[y != ignore_index]
    n_chars = len(y) if lengths is None else lengths[y].sum()
    return nats / math.log(2) / n_chars
