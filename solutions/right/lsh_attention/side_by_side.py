import torch


def lsh_attention(qk, v, buckets, causal=False):
    # The keys of all rounds side by side: (..., S, R * S).
    R, S = buckets.shape[-2:]
    k = torch.nn.functional.normalize(qk, dim=-1)
    scores = (qk @ k.mT).repeat(*[1] * (qk.dim() - 2), 1, R)
    seen = torch.cat([buckets[..., r, :, None] == buckets[..., r, None, :] for r in range(R)], dim=-1)
    order = torch.arange(S)
    allowed = order[:, None] > order if causal else order[:, None] != order
    seen = seen & allowed.repeat(1, R)
    nothing = ~seen.any(-1, keepdim=True)
    weights = scores.masked_fill(~seen, -torch.inf).masked_fill(nothing, 0).softmax(-1)
    output = weights @ torch.cat([v] * R, dim=-2)
    return torch.where(nothing, v, output)
