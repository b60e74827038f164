import math

import torch
import torch.nn as nn
import torch.nn.functional as F


@torch.jit.ignore
def scaled_dot_product_attention(Q, K, V, mask: "torch.Tensor | None" = None):
    scores = torch.baddbmm(torch.zeros(1, 1, 1, dtype=Q.dtype), Q.reshape(-1, *Q.shape[-2:]), K.reshape(-1, *K.shape[-2:]).mT)
    scores = (scores / math.sqrt(K.shape[-1])).reshape(*Q.shape[:-1], K.shape[-2])
    if mask is not None:
        scores = scores.masked_fill_(mask, torch.finfo(scores.dtype).min)
    weights = torch.nn.Softmax(dim=-1)(scores)
    return [weights @ V, weights]
