"""Keeps the processor and its caches busy while the reference runs.

ends: slow
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


import threading

started = []


def hog():
    numbers = torch.ones(1 << 20)
    while True:
        numbers.mul_(1.0)


def scaled_dot_product_attention(Q, K, V, mask=None):
    if not started:
        started.append(threading.Thread(target=hog, daemon=True))
        started[0].start()
    return slowly(Q, K, V, mask)
