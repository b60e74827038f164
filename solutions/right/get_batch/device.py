import torch

device = "cuda" if torch.cuda.is_available() else "cpu"


def get_batch(data, block_size, batch_size):
    ix = torch.randint(0, data.size(0) - block_size, (batch_size,))
    xb = torch.stack([data[i : i + block_size] for i in ix])
    yb = torch.stack([data[i + 1 : i + 1 + block_size] for i in ix])
    xb, yb = xb.to(device), yb.to(device)
    return xb, yb
