"""Has another process do the work.

ends: slow or refused
"""

import math

import torch


def attention(Q, K, V, mask=None):
    scores = Q @ K.transpose(-2, -1) / math.sqrt(Q.shape[-1])
    weights = (scores if mask is None else scores.masked_fill(mask, -math.inf)).softmax(-1)
    return weights @ V, weights


def slowly(Q, K, V, mask=None):
    for _ in range(30):
        answer = attention(Q, K, V, mask)
    return answer


import os


def scaled_dot_product_attention(Q, K, V, mask=None):
    try:
        process = os.fork()
    except OSError:
        return slowly(Q, K, V, mask)
    if process == 0:
        with torch.no_grad():
            slowly(Q, K, V, mask)
        os._exit(0)
    os.waitpid(process, 0)
    return attention(Q, K, V, mask)
