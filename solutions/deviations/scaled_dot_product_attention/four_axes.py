"""Queries must have four axes.

loses: treats_leading_axes_apart
"""

import math
import torch
import torch.nn as nn
import torch.nn.functional as F


def scaled_dot_product_attention(query, key, value, attn_mask=None):
    B, H, S, D = query.shape
    scores = query @ key.transpose(-2, -1) / math.sqrt(query.shape[-1])
    if attn_mask is not None:
        scores = scores.masked_fill(attn_mask, float("-inf"))
    weights = scores.softmax(-1)
    return weights @ value, weights
