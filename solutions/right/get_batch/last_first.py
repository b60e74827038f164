import torch


def get_batch(data, block_size, batch_size):
    """The end of each window is drawn, and it is cut from there."""
    ends = torch.randint(block_size, len(data), (batch_size,))
    y = torch.stack([data[e - block_size + 1 : e + 1] for e in ends])
    x = torch.stack([data[e - block_size : e] for e in ends])
    return x, y
