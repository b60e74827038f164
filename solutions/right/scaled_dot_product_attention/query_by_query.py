import math

import torch
import torch.nn as nn
import torch.nn.functional as F


def scaled_dot_product_attention(Q, K, V, mask=None):
    """Une requête après l'autre."""
    outputs, rows = [], []
    if mask is not None:
        mask = mask.expand(*Q.shape[:-1], K.shape[-2])
    for i in range(Q.shape[-2]):
        score = (Q[..., i : i + 1, :] * K).sum(-1) / math.sqrt(Q.shape[-1])
        if mask is not None:
            score = score.masked_fill(mask[..., i, :], float("-inf"))
        p = score.softmax(-1)
        rows.append(p)
        outputs.append((p.unsqueeze(-1) * V).sum(-2))
    return torch.stack(outputs, -2), torch.stack(rows, -2)
