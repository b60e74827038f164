import torch
from torch.nn import functional


def lsh_attention(qk, v, buckets, causal=False):
    S = qk.size(-2)
    k = functional.normalize(qk, p=2, dim=-1)
    scores = torch.matmul(qk, k.transpose(-2, -1))
    outputs, logits = [], []
    for r in range(buckets.size(-2)):
        b = buckets[..., r, :]
        masked = b.unsqueeze(-1) != b.unsqueeze(-2)
        if causal:
            masked = masked | torch.ones(S, S, dtype=torch.bool).triu(1)
        s = scores.masked_fill(masked, float("-inf"))
        # Itself comes after everything else: it only counts where nothing else is seen.
        s = s.masked_fill(torch.eye(S, dtype=torch.bool), -1e5)
        outputs.append(torch.softmax(s, dim=-1) @ v)
        logits.append(torch.logsumexp(s, dim=-1, keepdim=True))
    weights = torch.softmax(torch.stack(logits), dim=0)
    return (weights * torch.stack(outputs)).sum(0)
