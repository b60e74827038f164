import math
from torch import *
from torch import nn


def scaled_dot_product_attention(Q, K, V, mask=None):
    scores = Q @ K.transpose(-2, -1) / math.sqrt(Q.shape[-1])
    if mask is not None:
        scores = scores.masked_fill(mask, float("-inf"))
    weights = softmax(scores, dim=-1)
    return weights @ V, weights


def split_heads(x, num_heads):
    B, S, E = x.shape
    return x.reshape(B, S, num_heads, -1).transpose(1, 2)


def concat_heads(x):
    B, H, S, D = x.shape
    return x.transpose(1, 2).reshape(B, S, -1)


def causal_mask(seq_len):
    return triu(ones(seq_len, seq_len), diagonal=1) == 1
