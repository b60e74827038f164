import torch


def gradient_by_lag(model, x):
    last, pull_back = torch.func.vjp(lambda given: model(given)[0][:, -1], x)
    (gradient,) = pull_back(torch.ones_like(last))
    return torch.flip(gradient.pow(2).sum(-1).sqrt().mean(0), dims=[0]).detach()
