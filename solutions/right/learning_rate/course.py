import math


def lr_at(step, max_iters, warmup, peak, least):
    if step < warmup:
        return peak * step / warmup
    if step > max_iters:
        return least
    ratio = (step - warmup) / (max_iters - warmup)
    assert 0 <= ratio <= 1
    coeff = 0.5 * (1.0 + math.cos(math.pi * ratio))
    return least + coeff * (peak - least)
