"""A pair called past_kv; a mask for several queries alone; PyTorch's fused attention."""

import torch
import torch.nn.functional as F


def rotary(x, base=10000.0, offset=0):
    half = x.shape[-1] // 2
    speeds = base ** (-torch.arange(half, dtype=x.dtype) / half)
    angles = torch.arange(offset, offset + x.shape[-2], dtype=x.dtype)[:, None] * speeds
    first, second = x[..., :half], x[..., half:]
    return torch.cat(
        [first * angles.cos() - second * angles.sin(), second * angles.cos() + first * angles.sin()], -1
    )


def cached_attention(q, k, v, past_kv=None):
    start = past_kv[0].size(-2) if past_kv is not None else 0
    q, k = rotary(q, offset=start), rotary(k, offset=start)
    if past_kv is not None:
        past_k, past_v = past_kv
        k = torch.cat((past_k, k), dim=-2)
        v = torch.cat((past_v, v), dim=-2)
    mask = None
    if q.size(-2) > 1:
        rows = torch.arange(start, start + q.size(-2)).unsqueeze(1)
        mask = torch.arange(k.size(-2)).unsqueeze(0) <= rows
    out = F.scaled_dot_product_attention(q, k, v, attn_mask=mask, enable_gqa=True)
    return out, (k, v)
