import math

import torch


def bits_per_char(logits, targets, lengths=None, ignore_index=-100):
    bits, chars = 0.0, 0
    for row, ids in zip(logits, targets):
        logp = row.log_softmax(dim=-1)
        for t, i in enumerate(ids.tolist()):
            if i == ignore_index:
                continue
            bits -= logp[t, i].item() / math.log(2)
            chars += 1 if lengths is None else int(lengths[i])
    return bits / chars
