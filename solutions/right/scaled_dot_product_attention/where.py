import math

import torch
import torch.nn as nn
import torch.nn.functional as F


def scaled_dot_product_attention(Q, K, V, mask=None):
    scores = (Q / math.sqrt(Q.size(-1))) @ K.transpose(-1, -2)
    if mask is not None:
        scores = torch.where(mask, torch.full_like(scores, float("-inf")), scores)
    weights = F.softmax(scores, dim=-1)
    return weights @ V, weights
