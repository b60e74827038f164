def adamw_step(p, g, m, v, t, lr, betas=(0.9, 0.999), eps=1e-8, weight_decay=0.01):
    first, second = betas
    new_m = first * m + (1 - first) * g
    new_v = second * v + (1 - second) * g * g
    root = (1 - second**t) ** 0.5
    rate = lr * root / (1 - first**t)
    new_p = p - lr * weight_decay * p - rate * new_m / (new_v.sqrt() + eps * root)
    return new_p, new_m, new_v
