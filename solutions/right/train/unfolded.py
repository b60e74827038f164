import torch
from torch.optim import AdamW


def train_model(model, data, steps, batch_size, block_size, lr, seed):
    windows = data.unfold(0, block_size + 1, 1)
    choice = torch.Generator().manual_seed(seed)
    drawn = torch.randint(windows.shape[0], (steps, batch_size), generator=choice)
    optimizer, losses, was_training = AdamW(model.parameters(), lr), [], model.training
    model.train()
    try:
        for rows in drawn:
            batch = windows[rows]
            loss = model(batch[:, :-1], batch[:, 1:])[1]
            model.zero_grad()
            loss.backward()
            optimizer.step()
            losses.append(loss.detach())
    finally:
        model.train(was_training)
    return [loss.item() for loss in losses]
