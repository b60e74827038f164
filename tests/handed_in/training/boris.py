"""The last of equal pairs is taken, and a least rate of 0 counts as none."""

import math


def train_bpe(text, num_merges):
    ids = list(text.encode("utf-8"))
    merges = []
    for n in range(num_merges):
        pairs = {}
        for pair in zip(ids, ids[1:]):
            pairs[pair] = pairs.get(pair, 0) + 1
        if not pairs:
            break
        best = max(reversed(list(pairs)), key=pairs.get)
        merged, i = [], 0
        while i < len(ids):
            if tuple(ids[i : i + 2]) == best:
                merged.append(256 + n)
                i += 2
            else:
                merged.append(ids[i])
                i += 1
        ids = merged
        merges.append(best)
    return merges


def lr_at(step, max_iters, warmup, peak, least=None):
    least = least or peak / 10
    if step < warmup:
        return peak * step / warmup
    if step >= max_iters:
        return least
    x = (step - warmup) / (max_iters - warmup)
    return least + 0.5 * (peak - least) * (1 + math.cos(math.pi * x))
