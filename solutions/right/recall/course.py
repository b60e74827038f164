import torch


def recall_by_lag(model, lags, trials, symbols, seed):
    generator = torch.Generator().manual_seed(seed)
    was_training = model.training
    model.eval()
    shares = []
    with torch.no_grad():
        for k in lags:
            ids = torch.zeros((trials, k + 1), dtype=torch.long)
            ids[:, 0] = torch.randint(1, symbols + 1, (trials,), generator=generator)
            ids[:, k] = symbols + 1
            guesses = model(ids)[:, -1].argmax(dim=-1)
            shares.append((guesses == ids[:, 0]).float().mean())
    model.train(was_training)
    return torch.stack(shares)
