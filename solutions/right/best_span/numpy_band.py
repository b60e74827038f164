import numpy as np


def best_span(start, end, max_length):
    s = start.detach().numpy()
    e = end.detach().numpy()
    table = np.add.outer(s, e)
    i, j = np.indices(table.shape)
    table[(j < i) | (j - i >= max_length)] = -np.inf
    best = np.unravel_index(np.argmax(table), table.shape)
    return int(best[0]), int(best[1])
