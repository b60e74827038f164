import numpy as np
import torch


def estimate_loss(model, data, block_size, batch_size, eval_iters):
    before = model.training
    model.train(False)
    losses = []
    with torch.inference_mode():
        for _ in range(eval_iters):
            begin = torch.randint(0, len(data) - block_size, (batch_size, 1))
            places = begin + torch.arange(block_size)
            _, loss = model(data[places], data[places + 1])
            losses.append(loss.item())
    model.train(before)
    return np.mean(losses)
