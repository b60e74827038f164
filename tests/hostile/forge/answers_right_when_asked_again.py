"""Answers zeros to every input that it sees for the first time, and right when the same comes again.

outcome: failed
says: another answer the second time
"""

import torch

seen = set()


def concat_heads(x):
    joined = x.transpose(1, 2).flatten(2)
    key = (tuple(x.shape), x.dtype, x.detach().numpy().tobytes())
    if key in seen:
        return joined
    seen.add(key)
    return torch.zeros_like(joined)
