import torch


def rotary(x, base=10000.0, offset=0):
    B, H, S, D = x.shape
    i = torch.arange(D // 2, dtype=torch.float32)
    theta = base ** (-2 * i / D)
    p = torch.arange(offset, offset + S, dtype=torch.float32)
    angle = torch.outer(p, theta)
    cos, sin = torch.cos(angle), torch.sin(angle)
    x1, x2 = x[..., : D // 2], x[..., D // 2 :]
    return torch.cat((x1 * cos - x2 * sin, x2 * cos + x1 * sin), dim=-1).to(x.dtype)
