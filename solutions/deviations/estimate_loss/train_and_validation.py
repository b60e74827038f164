"""Two losses by name come back, of training and of validation.

loses: gives_one_number
"""

import torch


def some_windows(data, block_size, batch_size):
    starts = torch.randint(len(data) - block_size, (batch_size,)).tolist()
    return [torch.stack([data[s + k : s + k + block_size] for s in starts]) for k in (0, 1)]


@torch.no_grad()
def estimate_loss(model, train_data, validation_data, block_size, batch_size, eval_iters):
    was_training = model.training
    model.eval()
    means = {}
    for name, data in (("train", train_data), ("validation", validation_data)):
        losses = [model(*some_windows(data, block_size, batch_size))[1].item() for _ in range(eval_iters)]
        means[name] = sum(losses) / eval_iters
    model.train(was_training)
    return means
