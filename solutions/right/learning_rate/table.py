import math


def lr_at(step, max_iters, warmup, peak, least):
    rising = [peak * i / warmup for i in range(warmup)]
    count = max_iters - warmup
    falling = [least + 0.5 * (peak - least) * (1 + math.cos(i / count * math.pi)) for i in range(count + 1)]
    rates = rising + falling
    return rates[min(step, len(rates) - 1)]
