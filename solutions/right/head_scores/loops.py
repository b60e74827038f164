import math

import torch


def head_scores(weights):
    scores = {"entropy": [], "self": [], "first": [], "previous": []}
    for head in weights.tolist():
        n = len(head)
        scores["previous"].append(sum(head[i][i - 1] for i in range(1, n)) / (n - 1))
        scores["first"].append(sum(row[0] for row in head) / n)
        scores["self"].append(sum(head[i][i] for i in range(n)) / n)
        rows = [-sum(w * math.log(w) for w in row if w > 0) for row in head]
        scores["entropy"].append(sum(rows) / n)
    return {name: torch.tensor(values, dtype=weights.dtype) for name, values in scores.items()}
