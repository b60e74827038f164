import math

import torch
import torch.nn as nn
import torch.nn.functional as F


def softmax(scores):
    e = torch.exp(scores - scores.max(dim=-1, keepdim=True)[0])
    return e / e.sum(dim=-1, keepdim=True)


def scaled_dot_product_attention(Q, K, V, mask=None):
    scores = torch.einsum("...qd,...kd->...qk", Q, K).div(Q.shape[-1] ** 0.5)
    if mask is not None:
        scores = scores.masked_fill(mask, -torch.inf)
    weights = softmax(scores)
    return torch.einsum("...qk,...kd->...qd", weights, V), weights
