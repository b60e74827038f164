import math

import torch


def local_attention(Q, K, V, window):
    """Sequence by sequence, head by head, position by position."""
    output = []
    for q_batch, k_batch, v_batch in zip(Q, K, V):
        heads = []
        for q, k, v in zip(q_batch, k_batch, v_batch):
            rows = []
            for i, row in enumerate(q):
                near = range(max(i - window, 0), min(i + window, len(k) - 1) + 1)
                scores = torch.stack([row.dot(k[j]) / math.sqrt(len(row)) for j in near])
                weights = scores.softmax(0)
                rows.append(sum(weights[n] * v[j] for n, j in enumerate(near)))
            heads.append(torch.stack(rows))
        output.append(torch.stack(heads))
    return torch.stack(output)
