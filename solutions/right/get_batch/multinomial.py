import torch


def get_batch(data, block_size, batch_size):
    weights = torch.ones(len(data) - block_size)
    i = torch.multinomial(weights, batch_size, replacement=True)
    windows = torch.stack([data[s : len(data) - block_size + s] for s in range(block_size + 1)], dim=1)
    return [windows[i, :-1], windows[i, 1:]]
