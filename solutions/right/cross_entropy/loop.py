import torch


def cross_entropy(logits, targets, ignore_index=-100):
    total, count = 0.0, 0
    for row, target in zip(logits, targets.tolist()):
        if target == ignore_index:
            continue
        top = row.max()
        log_sum = top + (row - top).exp().sum().log()
        total = total + log_sum - row[target]
        count += 1
    return total / count
