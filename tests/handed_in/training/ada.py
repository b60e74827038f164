"""Merges by the size of a vocabulary, and a schedule, right."""

import math
from collections import Counter


def train_bpe(text, vocab_size):
    ids = list(text.encode("utf-8"))
    merges = []
    for new_id in range(256, vocab_size):
        pairs = Counter(zip(ids, ids[1:]))
        if not pairs:
            break
        best = max(pairs, key=pairs.get)
        merged, i = [], 0
        while i < len(ids):
            if tuple(ids[i : i + 2]) == best:
                merged.append(new_id)
                i += 2
            else:
                merged.append(ids[i])
                i += 1
        ids = merged
        merges.append(best)
    return merges


def lr_at(it, lr_decay_iters, warmup_iters, learning_rate, min_lr):
    if it < warmup_iters:
        return learning_rate * it / warmup_iters
    if it > lr_decay_iters:
        return min_lr
    decay_ratio = (it - warmup_iters) / (lr_decay_iters - warmup_iters)
    coeff = 0.5 * (1.0 + math.cos(math.pi * decay_ratio))
    return min_lr + coeff * (learning_rate - min_lr)
