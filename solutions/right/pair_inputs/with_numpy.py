import numpy as np


def pair_inputs(tokens_a, tokens_b, cls_id, sep_id, max_len, pad_id=0):
    lengths = np.array([len(tokens_a), len(tokens_b)])
    while lengths.sum() > max_len - 3:
        lengths[0 if lengths[0] > lengths[1] else 1] -= 1
    n, m = map(int, lengths)
    ids = np.full(max_len, pad_id)
    ids[0] = cls_id
    ids[1 : n + 1] = tokens_a[:n]
    ids[n + 1] = sep_id
    ids[n + 2 : n + m + 2] = tokens_b[:m]
    ids[n + m + 2] = sep_id
    position = np.arange(max_len)
    types = ((position >= n + 2) & (position < n + m + 3)).astype(int)
    mask = (position < n + m + 3).astype(int)
    return ids.tolist(), types.tolist(), mask.tolist()
