import torch
from torch.nn import functional


def lsh_attention(qk, v, buckets, causal=False):
    S = qk.shape[-2]
    times = (buckets[..., None] == buckets[..., None, :]).sum(dim=-3)
    times = times.masked_fill(torch.eye(S, dtype=torch.bool), 0)
    if causal:
        times = times.tril()
    times = torch.where((times == 0).all(-1, keepdim=True), torch.eye(S, dtype=times.dtype), times)
    bias = times.to(qk.dtype).log()
    return functional.scaled_dot_product_attention(
        qk, functional.normalize(qk, dim=-1), v, attn_mask=bias, scale=1.0
    )
