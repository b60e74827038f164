"""Small batches, all drawn at the beginning."""

import torch


def recall_by_lag(model, lags, trials, symbols, seed, batch_size=4):
    g = torch.Generator()
    g.manual_seed(seed)
    drawn = {lag: torch.randint(symbols, (trials,), generator=g) + 1 for lag in lags}
    state = model.training
    model.eval()
    shares = []
    with torch.no_grad():
        for lag, answers in drawn.items():
            correct = 0
            for some in answers.split(batch_size):
                blanks = torch.zeros(len(some), lag - 1, dtype=torch.int64)
                question = torch.full((len(some),), symbols + 1)
                ids = torch.column_stack([some, blanks, question])
                correct += (model(ids)[:, -1, :].argmax(-1) == some).sum().item()
            shares.append(correct / trials)
    model.train(state)
    return torch.tensor(shares)
