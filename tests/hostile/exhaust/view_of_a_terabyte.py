"""Returns a tensor of one number that says it is a terabyte large.

outcome: out_of_memory or raised
"""

import torch


def concat_heads(x):
    return torch.zeros(1).expand(1 << 38)
