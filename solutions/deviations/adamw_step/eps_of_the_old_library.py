"""The epsilon is added before the correction, as transformers' own AdamW once did.

loses: adds_eps_to_the_root
"""

import math


def adamw_step(p, g, m, v, t, lr, betas=(0.9, 0.999), eps=1e-8, weight_decay=0.01):
    beta1, beta2 = betas
    m = m * beta1 + g * (1.0 - beta1)
    v = v * beta2 + g * g * (1.0 - beta2)
    step_size = lr * math.sqrt(1.0 - beta2**t) / (1.0 - beta1**t)
    return p - step_size * m / (v.sqrt() + eps) - lr * weight_decay * p, m, v
