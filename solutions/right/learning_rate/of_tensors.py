import torch


def lr_at(it, max_iters, warmup_iters, learning_rate, min_lr):
    it = torch.tensor(float(it))
    warm = it / max(1, warmup_iters)
    ratio = ((it - warmup_iters) / (max_iters - warmup_iters)).clamp(0, 1)
    falling = min_lr + (learning_rate - min_lr) * (torch.cos(torch.pi * ratio) + 1) / 2
    return torch.where(it < warmup_iters, learning_rate * warm, falling)
