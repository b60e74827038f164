"""The two batches come back in a dict.

loses: gives_two_batches_of_ids
"""

import torch


def get_batch(data, batch_size, block_size, device):
    starts = torch.randint(0, len(data) - block_size, (batch_size,))
    inputs = torch.stack([data[s : s + block_size] for s in starts])
    targets = torch.stack([data[s + 1 : s + 1 + block_size] for s in starts])
    return {"inputs": inputs.to(device), "targets": targets.to(device)}
