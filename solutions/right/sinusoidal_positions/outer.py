import torch


def sinusoidal_positions(seq_len, d_model):
    inverse = 1.0 / (10000 ** (torch.arange(0, d_model, 2).float() / d_model))
    angles = torch.outer(torch.arange(seq_len).float(), inverse)
    return torch.stack((angles.sin(), angles.cos()), dim=2).view(seq_len, d_model)
