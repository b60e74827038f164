import torch


def receptive_field(layers, window):
    reach = layers * window
    i = torch.arange(2 * reach + 1)
    band = ((i[:, None] - i).abs() <= window).double()
    row = torch.zeros(2 * reach + 1, dtype=torch.float64)
    row[reach] = 1
    for _ in range(layers):
        row = ((row @ band) > 0).double()
    return int(row.sum().item())
