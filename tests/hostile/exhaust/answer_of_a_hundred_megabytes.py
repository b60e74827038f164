"""Answers with a tensor of a hundred megabytes.

checks: puts_each_head_in_its_columns
outcome: raised or out_of_memory
says: too large
"""

import torch


def concat_heads(x):
    return torch.zeros(100 << 20, dtype=torch.uint8)
