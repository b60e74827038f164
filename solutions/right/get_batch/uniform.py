import torch


def get_batch(data, block_size, batch_size):
    count = len(data) - block_size
    begin = (torch.rand(batch_size, dtype=torch.float64) * count).floor().long()
    pieces = [data[b : b + block_size + 1] for b in begin.tolist()]
    whole = torch.stack(pieces)
    return whole[:, :block_size].contiguous(), whole[:, 1:].contiguous()
