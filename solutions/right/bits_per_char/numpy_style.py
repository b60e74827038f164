import numpy as np


def bits_per_char(logits, targets, lengths=None, ignore_index=-100):
    x, y = logits.detach().cpu().numpy(), targets.cpu().numpy()
    keep = y != ignore_index
    x, y = x[keep], y[keep]
    x = x - x.max(-1, keepdims=True)
    p = x - np.log(np.exp(x).sum(-1, keepdims=True))
    total = -np.take_along_axis(p, y[:, None], axis=1).sum() / np.log(2)
    return float(total / (y.size if lengths is None else lengths.numpy()[y].sum()))
