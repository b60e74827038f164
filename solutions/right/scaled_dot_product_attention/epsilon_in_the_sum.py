import math

import torch


def scaled_dot_product_attention(Q, K, V, mask=None):
    scores = torch.einsum("...qd,...kd->...qk", Q, K) / (math.sqrt(Q.size(-1)) + 1e-12)
    if mask is not None:
        scores = torch.where(mask, torch.full_like(scores, -1e9), scores)
    shares = torch.exp(scores - scores.amax(dim=-1, keepdim=True))
    weights = shares / (shares.sum(dim=-1, keepdim=True) + 1e-8)
    return torch.einsum("...qk,...kd->...qd", weights, V), weights
