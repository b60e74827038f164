import numpy as np


def receptive_field(layers, window):
    return int(np.full(layers, 2 * window).sum()) + 1
