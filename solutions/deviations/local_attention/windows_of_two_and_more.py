"""Windows of 0 and of 1 are an error, as in public code for Longformer, which works in blocks.

loses: takes_a_narrow_window
"""

import torch
from torch.nn import functional as F


def local_attention(Q, K, V, window):
    if window < 2:
        raise ValueError("the window is too narrow")
    S = Q.shape[2]
    pad = (0, 0, window, window + -S % window)
    keys, values = F.pad(K, pad), F.pad(V, pad)
    out = torch.empty_like(V)
    for start in range(0, S, window):
        stop = min(start + window, S)
        k, v = (t[:, :, start : stop + 2 * window] for t in (keys, values))
        i = torch.arange(start, stop)[:, None]
        j = torch.arange(start - window, stop + window)
        far = ((i - j).abs() > window) | (j < 0) | (j >= S)
        scores = Q[:, :, start:stop] @ k.transpose(2, 3) / Q.shape[3] ** 0.5
        out[:, :, start:stop] = scores.masked_fill(far, float("-inf")).softmax(-1) @ v
    return out
