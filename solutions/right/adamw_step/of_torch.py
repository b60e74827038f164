import torch


def adamw_step(p, g, m, v, t, lr, betas=(0.9, 0.999), eps=1e-8, weight_decay=0.01):
    parameter = torch.nn.Parameter(p.clone())
    parameter.grad = g.clone()
    optimizer = torch.optim.AdamW([parameter], lr=lr, betas=betas, eps=eps, weight_decay=weight_decay)
    optimizer.state[parameter] = {
        "step": torch.tensor(float(t - 1)),
        "exp_avg": m.clone(),
        "exp_avg_sq": v.clone(),
    }
    optimizer.step()
    state = optimizer.state[parameter]
    return parameter.data, state["exp_avg"], state["exp_avg_sq"]
