import torch


def one_sequence(qk, v, buckets, causal):
    rows = []
    for i in range(len(qk)):
        scores, values = [], []
        for bucket in buckets:
            for j in range(i if causal else len(qk)):
                if j != i and bucket[j] == bucket[i]:
                    scores.append(qk[i] @ qk[j] / qk[j].norm())
                    values.append(v[j])
        if scores:
            rows.append(torch.softmax(torch.stack(scores), 0) @ torch.stack(values))
        else:
            rows.append(v[i])
    return torch.stack(rows)


def lsh_attention(qk, v, buckets, causal=False):
    if qk.dim() == 2:
        return one_sequence(qk, v, buckets, causal)
    return torch.stack([lsh_attention(*parts, causal) for parts in zip(qk, v, buckets, strict=True)])
