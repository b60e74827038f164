import numpy as np


def receptive_field(layers, window):
    return np.repeat(2 * window, layers).sum() + 1
