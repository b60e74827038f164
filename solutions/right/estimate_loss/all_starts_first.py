import statistics

import torch


@torch.no_grad()
def estimate_loss(model, data, block_size, batch_size, eval_iters):
    """All windows are drawn before the first is looked at."""
    mode = model.training
    model = model.eval()
    windows = data.unfold(0, block_size + 1, 1)
    drawn = windows[torch.randint(windows.shape[0], (eval_iters, batch_size))]
    losses = [model(w[:, :-1], w[:, 1:])[1].item() for w in drawn]
    model.train(mode)
    return statistics.fmean(losses)
