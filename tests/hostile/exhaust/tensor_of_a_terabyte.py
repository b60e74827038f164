"""Makes a tensor of a terabyte.

outcome: out_of_memory
says: too much memory
"""

import torch


def concat_heads(x):
    return torch.ones(1 << 38)
