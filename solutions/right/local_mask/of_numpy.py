import numpy as np
import torch


def local_mask(seq_len, window):
    i, j = np.indices((seq_len, seq_len))
    return torch.from_numpy((j < i - window) | (j > i + window))
