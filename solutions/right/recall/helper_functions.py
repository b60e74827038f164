"""The data, the measurement and the loop are functions of their own; the global seed is used in a fork."""

import torch
import torch.nn.functional as F


def recall_batch(n, lag, symbols):
    first = torch.randint(1, symbols + 1, (n, 1))
    return torch.cat([F.pad(first, (0, lag - 1)), torch.full((n, 1), symbols + 1)], dim=1)


@torch.no_grad()
def accuracy(net, batch):
    prediction = net(batch)[:, -1, :].max(dim=1).indices
    return torch.eq(prediction, batch[:, 0]).to(torch.float32).mean()


def recall_by_lag(net, lags, trials, symbols, seed):
    before = net.training
    net.train(False)
    try:
        with torch.random.fork_rng():
            torch.manual_seed(seed)
            return torch.tensor([accuracy(net, recall_batch(trials, lag, symbols)).item() for lag in lags])
    finally:
        net.train(before)
