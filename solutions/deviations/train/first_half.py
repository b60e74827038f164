"""Batches come from the first half of the text alone, as if the other were kept for a validation.

loses: draws_each_batch_anew
"""

import torch


def train_model(model, data, steps, batch_size, block_size, lr, seed):
    def get_batch():
        ix = torch.randint(max(1, len(data) // 2 - block_size), (batch_size,), generator=generator)
        x = torch.stack([data[i : i + block_size] for i in ix])
        y = torch.stack([data[i + 1 : i + block_size + 1] for i in ix])
        return x, y

    generator = torch.Generator().manual_seed(seed)
    was_training = model.training
    model.train()
    optimizer = torch.optim.AdamW(model.parameters(), lr=lr)
    losses = []
    for iteration in range(steps):
        xb, yb = get_batch()
        logits, loss = model(xb, yb)
        optimizer.zero_grad(set_to_none=True)
        loss.backward()
        optimizer.step()
        losses.append(loss.item())
    model.train(was_training)
    return losses
