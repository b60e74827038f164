import numpy as np


def instruction_labels(prompt, answer, eos):
    tokens = np.array(list(prompt) + list(answer) + [eos], dtype=np.int64)
    mask = np.zeros(len(tokens), dtype=bool)
    mask[len(prompt) :] = True
    x, y = tokens[:-1], tokens[1:].copy()
    y[~mask[1:]] = -100
    return x.tolist(), y.tolist()
