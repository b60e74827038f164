import torch


def get_batch(data, block_size, batch_size):
    windows = data.unfold(0, block_size + 1, 1)
    chosen = windows[torch.randint(len(windows), (batch_size,))]
    return chosen[:, :-1], chosen[:, 1:]
