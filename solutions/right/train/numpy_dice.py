import numpy as np
import torch


def batches(data, count, batch_size, block_size, seed):
    rng = np.random.default_rng(seed)
    for _ in range(count):
        starts = rng.integers(0, len(data) - block_size, size=batch_size)
        rows = torch.from_numpy(starts)[:, None] + torch.arange(block_size)[None, :]
        yield data[rows], data[rows + 1]


def train_model(model, data, steps, batch_size, block_size, lr, seed):
    state = model.training
    optimizer = torch.optim.Adam(model.parameters(), lr=lr)
    losses = list()
    model.train()
    for x, y in batches(data, steps, batch_size, block_size, seed):
        optimizer.zero_grad()
        _, loss = model(x, y)
        losses.append(loss.item())
        loss.backward()
        optimizer.step()
    model.train() if state else model.eval()
    return losses
