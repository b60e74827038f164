"""Makes a tensor of a terabyte.

outcome: out_of_memory
says: memory
"""

import torch


def concat_heads(x):
    return torch.ones(1 << 38)
