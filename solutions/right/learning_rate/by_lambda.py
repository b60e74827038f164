import math


def multiplier(step, warmup, total):
    if step < warmup:
        return float(step) / float(max(1, warmup))
    progress = float(step - warmup) / float(max(1, total - warmup))
    return 0.5 * (1.0 + math.cos(math.pi * min(1.0, progress)))


def lr_at(current_step, num_training_steps, num_warmup_steps, peak_lr, min_lr):
    factor = multiplier(current_step, num_warmup_steps, num_training_steps)
    if current_step < num_warmup_steps:
        return peak_lr * factor
    return peak_lr * factor + min_lr * (1 - factor)
