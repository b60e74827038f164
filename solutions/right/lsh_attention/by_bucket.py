import torch


def lsh_attention(qk, v, buckets, causal=False):
    """The members of each bucket are gathered; what a query finds is summed up over buckets and rounds."""
    lead = qk.shape[:-2]
    S, D, Dv, R = qk.shape[-2], qk.shape[-1], v.shape[-1], buckets.shape[-2]
    qk, v, buckets = qk.reshape(-1, S, D), v.reshape(-1, S, Dv), buckets.reshape(-1, R, S)
    keys = qk / torch.linalg.vector_norm(qk, dim=-1, keepdim=True)
    highest = (qk @ keys.transpose(1, 2)).amax(-1).detach()
    sequences = []
    for b in range(len(qk)):
        above = torch.zeros(S, Dv, dtype=v.dtype)
        below = torch.zeros(S, 1, dtype=v.dtype)
        for r in range(R):
            for bucket in buckets[b, r].unique():
                members = (buckets[b, r] == bucket).nonzero().flatten()
                e = torch.exp(qk[b, members] @ keys[b, members].T - highest[b, members, None])
                e = e * (1 - torch.eye(len(members), dtype=e.dtype))
                e = e.tril() if causal else e
                above = above.index_add(0, members, e @ v[b, members])
                below = below.index_add(0, members, e.sum(-1, keepdim=True))
        found = below > 0
        sequences.append(torch.where(found, above / torch.where(found, below, 1), v[b]))
    return torch.stack(sequences).reshape(*lead, S, Dv)
