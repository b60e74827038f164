import math

import torch


def sinusoidal_positions(seq_len, d_model):
    columns = torch.arange(d_model, dtype=torch.float64)
    even = columns - columns % 2
    angles = torch.arange(seq_len, dtype=torch.float64).reshape(-1, 1) * 10000.0 ** (-even / d_model)
    return torch.sin(angles + (columns % 2) * math.pi / 2).to(torch.float32)
