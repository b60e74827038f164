import torch


def get_batch(data, block_size, batch_size):
    starts = torch.randint(high=data.numel() - block_size, size=(batch_size, 1))
    places = starts + torch.arange(block_size)
    return data[places], data[places + 1]
