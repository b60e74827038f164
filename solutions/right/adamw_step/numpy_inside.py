import numpy as np
import torch


def adamw_step(p, g, m, v, t, lr, betas=(0.9, 0.999), eps=1e-8, weight_decay=0.01):
    p_, g_, m_, v_ = (x.detach().numpy().astype(np.float64) for x in (p, g, m, v))
    b1, b2 = betas
    m_ = b1 * m_ + (1 - b1) * g_
    v_ = b2 * v_ + (1 - b2) * np.square(g_)
    p_ = p_ * (1 - lr * weight_decay)
    p_ = p_ - lr * (m_ / (1 - b1**t)) / (np.sqrt(v_ / (1 - b2**t)) + eps)
    return tuple(torch.as_tensor(x).to(p.dtype) for x in (p_, m_, v_))
