import torch
from torch.nn.functional import softmax


def local_attention(Q, K, V, window):
    S, D = Q.shape[-2], Q.shape[-1]
    rows = []
    for i in range(S):
        start, stop = max(0, i - window), min(S, i + window + 1)
        k, v = K[:, :, start:stop], V[:, :, start:stop]
        score = torch.matmul(Q[:, :, i : i + 1], k.transpose(2, 3)) / D**0.5
        rows.append(torch.matmul(softmax(score, dim=-1), v))
    return torch.cat(rows, dim=2)
