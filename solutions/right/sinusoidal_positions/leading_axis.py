import torch


def sinusoidal_positions(seq_len, d_model):
    positions = torch.arange(seq_len)[:, None]
    i = torch.arange(d_model)[None, :]
    angles = positions / torch.pow(10000, (2 * (i // 2)) / d_model)
    pe = torch.zeros(seq_len, d_model)
    pe[:, 0::2] = torch.sin(angles[:, 0::2])
    pe[:, 1::2] = torch.cos(angles[:, 1::2])
    return pe.unsqueeze(0)
