"""A sequence at a time, with Python's own random numbers and lists."""

import random

import torch


def recall_by_lag(model, lags, trials, symbols, seed):
    numbers = random.Random(seed)
    mode = model.training
    model.eval()
    result = []
    for lag in lags:
        hits = 0
        for _ in range(trials):
            symbol = numbers.randint(1, symbols)
            sequence = [symbol] + [0] * (lag - 1) + [symbols + 1]
            with torch.no_grad():
                logits = model(torch.tensor([sequence]))
            hits += int(logits[0, -1].argmax()) == symbol
        result.append(hits / trials)
    model.train(mode)
    return result
