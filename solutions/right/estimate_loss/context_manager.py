import contextlib

import torch


def get_batch(data, block_size, batch_size):
    ix = torch.randint(len(data) - block_size, (batch_size,))
    x = torch.stack([data[i : i + block_size] for i in ix])
    y = torch.stack([data[i + 1 : i + block_size + 1] for i in ix])
    return x, y


@contextlib.contextmanager
def evaluating(model):
    mode = model.training
    model.eval()
    try:
        with torch.no_grad():
            yield
    finally:
        model.train(mode)


def estimate_loss(model, data, block_size, batch_size, eval_iters):
    with evaluating(model):
        return torch.stack(
            [model(*get_batch(data, block_size, batch_size))[1] for _ in range(eval_iters)]
        ).mean()
