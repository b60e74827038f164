import torch
from torch import nn


def get_batch(data, block_size, batch_size):
    ix = torch.randint(len(data) - block_size, (batch_size,))
    x = torch.stack([data[i : i + block_size] for i in ix])
    y = torch.stack([data[i + 1 : i + block_size + 1] for i in ix])
    return x, y


def estimate_loss(model: nn.Module, data, block_size, batch_size, eval_iters) -> float:
    modes = {module: module.training for module in model.modules()}
    model.eval()
    losses = torch.empty(eval_iters, dtype=torch.float64)
    with torch.no_grad():
        for k in range(eval_iters):
            _, losses[k] = model(*get_batch(data, block_size, batch_size))
    for module, mode in modes.items():
        module.training = mode
    return float(losses.mean())
