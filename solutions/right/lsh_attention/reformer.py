import torch


def lsh_attention(qk, v, buckets, causal=False):
    # As in Reformer: large negative numbers instead of minus infinity, rounds by logsumexp.
    S, D = qk.shape[-2:]
    key = qk * torch.rsqrt(torch.mean(qk**2, -1, keepdim=True))
    key = key / D**0.5
    dots = torch.matmul(qk, key.transpose(-1, -2)).unsqueeze(-3)
    same = buckets.unsqueeze(-1).eq(buckets.unsqueeze(-2))
    position = torch.arange(S)
    if causal:
        same = same & (position[:, None] >= position[None, :])
    dots = torch.where(same, dots, torch.tensor(-1e9, dtype=qk.dtype))
    dots = torch.where(position[:, None] != position[None, :], dots, torch.tensor(-1e5, dtype=qk.dtype))
    logits = torch.logsumexp(dots, dim=-1, keepdim=True)
    out = torch.matmul(torch.exp(dots - logits), v.unsqueeze(-3))
    probs = torch.exp(logits - torch.logsumexp(logits, dim=-3, keepdim=True))
    return torch.sum(out * probs, dim=-3)
