import math

import torch
import torch.nn as nn
import torch.nn.functional as F


def scaled_dot_product_attention(query, key, value, mask=None):
    scores = torch.matmul(query, key.mT) * key.shape[-1] ** -0.5
    if mask is not None:
        scores = scores.masked_fill(mask.bool(), -1e9)
    p = torch.softmax(scores, -1)
    return torch.matmul(p, value), p
