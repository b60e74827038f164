import torch


def get_batch(data, block_size, batch_size):
    x = torch.zeros((batch_size, block_size), dtype=torch.long)
    y = torch.zeros((batch_size, block_size), dtype=torch.long)
    for row in range(batch_size):
        i = torch.randint(len(data) - block_size, (1,)).item()
        x[row] = data[i : i + block_size]
        y[row] = data[i + 1 : i + 1 + block_size]
    return x, y
