"""Takes a little less time than a call may, in every call.

exercise: scaled_dot_product_attention
outcome: failed or timed_out
says: for the whole submission
"""

import time

import torch


def scaled_dot_product_attention(Q, K, V, mask=None):
    time.sleep(0.7)
    scores = Q @ K.transpose(-2, -1) / Q.shape[-1] ** 0.5
    weights = (scores if mask is None else scores.masked_fill(mask, -torch.inf)).softmax(-1)
    return weights @ V, weights
