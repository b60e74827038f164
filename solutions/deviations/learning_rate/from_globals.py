"""All but the step are read from the script.

loses: is_one_number
"""

import math

max_lr, min_lr = 3e-4, 3e-5
warmup_steps, max_steps = 100, 5000


def lr_at(it):
    if it < warmup_steps:
        return max_lr * it / warmup_steps
    if it >= max_steps:
        return min_lr
    done = (it - warmup_steps) / (max_steps - warmup_steps)
    return min_lr + 0.5 * (1 + math.cos(math.pi * done)) * (max_lr - min_lr)
