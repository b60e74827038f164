import math

import torch


def shifted(x, offset, fill):
    """x[i + offset] at position i, and `fill` where there is no such position."""
    out = torch.full_like(x, fill)
    S = x.shape[2]
    if abs(offset) >= S:
        return out
    if offset >= 0:
        out[:, :, : S - offset] = x[:, :, offset:]
    else:
        out[:, :, -offset:] = x[:, :, :offset]
    return out


def local_attention(Q, K, V, window):
    offsets = range(-window, window + 1)
    position = torch.arange(Q.shape[2])
    scores = []
    for offset in offsets:
        score = (Q * shifted(K, offset, 0.0)).sum(-1) / math.sqrt(Q.shape[-1])
        there = (position + offset >= 0) & (position + offset < Q.shape[2])
        scores.append(torch.where(there, score, torch.full_like(score, -math.inf)))
    weights = torch.stack(scores, dim=-1).softmax(-1)
    return sum(weights[..., n, None] * shifted(V, offset, 0.0) for n, offset in enumerate(offsets))
