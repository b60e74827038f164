"""The losses are tensors that keep their graphs.

loses: keeps_no_graph
"""

import torch


def train_model(model, data, steps, batch_size, block_size, lr, seed):
    generator = torch.Generator().manual_seed(seed)
    mode = model.training
    model.train()
    optimizer = torch.optim.AdamW(model.parameters(), lr=lr)
    losses = []
    for _ in range(steps):
        starts = torch.randint(len(data) - block_size, (batch_size, 1), generator=generator)
        places = starts + torch.arange(block_size)
        loss = model(data[places], data[places + 1])[1]
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        losses.append(loss)
    model.train(mode)
    return losses
