import numpy as np


def perplexity(logits, targets, ignore_index=-100):
    x = logits.detach().numpy()
    y = targets.numpy()
    keep = y != ignore_index
    x, y = x[keep], y[keep]
    x = x - x.max(axis=-1, keepdims=True)
    log_probabilities = x - np.log(np.exp(x).sum(axis=-1, keepdims=True))
    return np.exp(-np.mean(log_probabilities[np.arange(len(y)), y]))
