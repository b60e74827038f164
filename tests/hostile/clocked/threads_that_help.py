"""Has several threads do the work.

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


from concurrent.futures import ThreadPoolExecutor

helpers = []


def scaled_dot_product_attention(Q, K, V, mask=None):
    if not helpers:
        torch.set_num_threads(4)
        helpers.append(ThreadPoolExecutor(4))
    with torch.no_grad():
        answers = [helpers[0].submit(attention, Q, K, V, mask) for _ in range(29)]
        answers = [answer.result() for answer in answers]
    return attention(Q, K, V, mask)
