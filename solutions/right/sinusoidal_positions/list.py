import torch
from math import cos, sin


def sinusoidal_positions(seq_len, d_model):
    def value(pos, column):
        angle = pos / (10_000 ** (2 * (column // 2) / d_model))
        return cos(angle) if column % 2 else sin(angle)

    return torch.tensor([[value(pos, column) for column in range(d_model)] for pos in range(seq_len)])
