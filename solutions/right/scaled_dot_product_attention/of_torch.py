import math

import torch
import torch.nn as nn
import torch.nn.functional as F


def scaled_dot_product_attention(Q, K, V, mask=None):
    allowed = None if mask is None else torch.logical_not(mask)
    output = F.scaled_dot_product_attention(Q, K, V, attn_mask=allowed)
    scores = Q @ K.transpose(-2, -1) / math.sqrt(Q.shape[-1])
    if mask is not None:
        scores = scores + torch.zeros_like(scores).masked_fill(mask, float("-inf"))
    return output, scores.softmax(-1)
