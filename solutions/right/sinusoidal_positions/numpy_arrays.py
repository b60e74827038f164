import numpy as np
import torch


def sinusoidal_positions(seq_len, d_model):
    pos = np.arange(seq_len)[:, np.newaxis]
    two_i = np.arange(0, d_model, 2)
    table = np.zeros((seq_len, d_model))
    table[:, 0::2] = np.sin(pos / np.power(10000, two_i / d_model))
    table[:, 1::2] = np.cos(pos / np.power(10000, two_i / d_model))
    return torch.from_numpy(table)
