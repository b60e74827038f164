"""Answers with a tensor of a hundred megabytes.

outcome: raised
says: too large an answer
"""

import torch


def concat_heads(x):
    return torch.zeros(100 << 20, dtype=torch.uint8)
