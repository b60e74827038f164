"""The likeliest id by topk of log-probabilities."""

import torch


def recall_by_lag(model, lags, trials, symbols, seed):
    generator = torch.Generator().manual_seed(seed)
    kept, out = model.training, []
    model.train(mode=False)
    for lag in lags:
        target = torch.multinomial(torch.ones(symbols), trials, replacement=True, generator=generator) + 1
        sequence = torch.nn.functional.one_hot(torch.zeros(trials, dtype=torch.int64), lag + 1) * target[:, None]
        sequence[:, -1] = symbols + 1
        with torch.set_grad_enabled(False):
            best = model(sequence).log_softmax(dim=-1)[:, -1].topk(1, dim=-1).indices[:, 0]
        out.append(torch.count_nonzero(best == target) / trials)
    model.train(mode=kept)
    return torch.stack(out)
