"""The global seed is set, as in many scripts, and stays so.

loses: leaves_the_random_state_alone
"""

import torch


def train_model(model, data, steps, batch_size, block_size, lr, seed):
    torch.manual_seed(seed)
    mode = model.training
    model.train()
    optimizer = torch.optim.AdamW(model.parameters(), lr=lr)
    losses = []
    for _ in range(steps):
        ix = torch.randint(len(data) - block_size, (batch_size,))
        x = torch.stack([data[i : i + block_size] for i in ix])
        y = torch.stack([data[i + 1 : i + 1 + block_size] for i in ix])
        logits, loss = model(x, y)
        optimizer.zero_grad(set_to_none=True)
        loss.backward()
        optimizer.step()
        losses.append(loss.item())
    model.train(mode)
    return losses
