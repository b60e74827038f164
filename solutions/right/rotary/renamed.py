"""Other names; the sequence axis is found from behind."""

import torch


def rotary(q_or_k, theta=10_000.0, start_pos=0):
    d = q_or_k.shape[-1]
    pos = torch.arange(start_pos, start_pos + q_or_k.shape[-2], dtype=q_or_k.dtype)
    inv = torch.exp(-torch.arange(0, d, 2, dtype=q_or_k.dtype) / d * torch.log(torch.tensor(theta)))
    a = pos.view(-1, 1) * inv.view(1, -1)
    a = torch.cat([a, a], dim=-1)
    flipped = torch.roll(q_or_k, d // 2, dims=-1)
    sign = torch.ones(d, dtype=q_or_k.dtype)
    sign[: d // 2] = -1
    return q_or_k * a.cos() + flipped * sign * a.sin()
