from math import pi, sin


def lr_at(step, max_iters, warmup, peak, least):
    if step >= max_iters:
        return least
    if warmup > 0 and step < warmup:
        return step * (peak / warmup)
    left = 1 - (step - warmup) / (max_iters - warmup)
    return least + (peak - least) * sin(left * pi / 2) ** 2
