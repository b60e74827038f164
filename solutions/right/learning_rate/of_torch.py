import torch


def lr_at(step, max_iters, warmup, peak, least):
    optimizer = torch.optim.SGD([torch.zeros(1, requires_grad=True)], lr=peak)
    if step < warmup:
        rates = torch.optim.lr_scheduler.LambdaLR(optimizer, lambda number: number / warmup)
        count = step
    else:
        rates = torch.optim.lr_scheduler.CosineAnnealingLR(optimizer, max_iters - warmup, eta_min=least)
        count = min(step, max_iters) - warmup
    for _ in range(count):
        optimizer.step()
        rates.step()
    return rates.get_last_lr()[0]
