"""Sequences from NumPy's generator, and a count by comparison of logits."""

import numpy as np
import torch


def recall_by_lag(model, lags, trials, symbols, seed):
    rng = np.random.default_rng(seed)
    training = model.training
    model.eval()
    shares = torch.empty(len(lags), dtype=torch.float64)
    for place, lag in enumerate(lags):
        ids = np.zeros((trials, lag + 1), dtype=np.int64)
        ids[:, 0] = rng.integers(1, symbols, size=trials, endpoint=True)
        ids[:, -1] = symbols + 1
        ids = torch.from_numpy(ids)
        with torch.inference_mode():
            last = model(ids)[:, -1]
        own = last.gather(1, ids[:, :1]).squeeze(1)
        shares[place] = (own == last.amax(dim=1)).double().mean()
    model.train(training)
    return shares
