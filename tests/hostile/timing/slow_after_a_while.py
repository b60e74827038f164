"""Answers five calls rightly and then never again.

exercise: scaled_dot_product_attention
outcome: timed_out
says: no answer within
"""

import time

import torch

CALLS = []


def scaled_dot_product_attention(Q, K, V, mask=None):
    CALLS.append(0)
    if len(CALLS) > 5:
        time.sleep(3600)
    scores = Q @ K.transpose(-2, -1) / Q.shape[-1] ** 0.5
    weights = (scores if mask is None else scores.masked_fill(mask, -torch.inf)).softmax(-1)
    return weights @ V, weights
