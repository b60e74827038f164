"""All is changed in place, as an optimiser does, and nothing comes back.

loses: gives_parameter_and_averages
"""

import torch


@torch.no_grad()
def adamw_step(p, g, m, v, t, lr, betas=(0.9, 0.999), eps=1e-8, weight_decay=0.01):
    p -= lr * weight_decay * p
    m.copy_(betas[0] * m + (1 - betas[0]) * g)
    v.copy_(betas[1] * v + (1 - betas[1]) * g**2)
    p -= lr * (m / (1 - betas[0] ** t)) / ((v / (1 - betas[1] ** t)).sqrt() + eps)
