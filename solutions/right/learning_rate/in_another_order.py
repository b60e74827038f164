"""The rates come first, from the least to the peak, and then the steps at which something ends."""

import math


def lr_at(it, lr_min, lr_max, warmup_iters, total_iters):
    if it < warmup_iters:
        return it / warmup_iters * lr_max
    if it <= total_iters:
        angle = (it - warmup_iters) / (total_iters - warmup_iters) * math.pi
        return lr_min + (1 + math.cos(angle)) / 2 * (lr_max - lr_min)
    return lr_min
