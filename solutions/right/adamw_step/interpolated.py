import torch


def adamw_step(param, grad, exp_avg, exp_avg_sq, step, lr, betas=(0.9, 0.999), eps=1e-8, weight_decay=1e-2):
    exp_avg = torch.lerp(exp_avg, grad, 1 - betas[0])
    exp_avg_sq = exp_avg_sq + (1 - betas[1]) * (grad * grad - exp_avg_sq)
    mean = exp_avg / (1 - pow(betas[0], step))
    spread = torch.sqrt(exp_avg_sq / (1 - pow(betas[1], step)))
    shrunk = param * (1 - lr * weight_decay)
    return torch.addcdiv(shrunk, mean, spread + eps, value=-lr), exp_avg, exp_avg_sq
