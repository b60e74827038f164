import numpy as np


def lr_at(step, max_iters, warmup, peak, least):
    if step < warmup:
        return np.interp(step, [0, warmup], [0.0, peak])
    angle = np.interp(step, [warmup, max_iters], [0.0, np.pi])
    middle, swing = (peak + least) / 2, (peak - least) / 2
    return middle + swing * np.cos(angle)
