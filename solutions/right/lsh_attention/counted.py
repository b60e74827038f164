import torch


def lsh_attention(qk, v, buckets, causal=False):
    S = qk.shape[-2]
    keys = qk / qk.pow(2).sum(-1, keepdim=True).sqrt()
    count = (buckets[..., :, None] == buckets[..., None, :]).to(qk.dtype).sum(-3)
    count = count * (1 - torch.eye(S, dtype=qk.dtype))
    if causal:
        count = torch.tril(count)
    nobody = (count.sum(-1, keepdim=True) == 0).to(qk.dtype)
    count = count + nobody * torch.eye(S, dtype=qk.dtype)
    scores = torch.einsum("...id,...jd->...ij", qk, keys)
    e = count * torch.exp(scores - scores.amax(-1, keepdim=True))
    return torch.einsum("...ij,...jd->...id", e / e.sum(-1, keepdim=True), v)
