"""Each position is a leaf of its own."""

import torch


def gradient_by_lag(model, x):
    leaves = [x[:, t].clone().requires_grad_() for t in range(x.shape[1])]
    answer = model(torch.stack(leaves, dim=1))
    grads = torch.autograd.grad(answer[0][:, -1].sum(), leaves)
    return torch.stack([g.norm(dim=1).mean() for g in reversed(grads)])
