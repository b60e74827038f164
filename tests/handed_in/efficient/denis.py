"""Mon rendu (Denis)."""

import torch
import torch.nn as nn
import torch.nn.functional as F

torch.manual_seed(0)


def local_mask(seq_len, window):
    ones = torch.ones(seq_len, seq_len)
    return torch.tril(torch.triu(ones, -window), window).bool()


def global_mask(local, is_global):
    B, S = is_global.shape
    masks, mask = [], local.clone()
    for b in range(B):
        mask[is_global[b]] = False
        mask[:, is_global[b]] = False
        masks.append(mask.clone())
    return torch.stack(masks)


def local_attention(Q, K, V, window):
    S, D = Q.shape[-2:]
    far = (torch.arange(S)[:, None] - torch.arange(S)).abs() > window
    scores = Q @ K.transpose(-2, -1) / D**0.5
    return scores.masked_fill(far, float("-inf")).softmax(-1) @ V


def receptive_field(layers, window):
    left, right = 0, 0
    for _ in range(layers):
        left, right = left - window, right + window
    return right - left + 1


def lsh_buckets(x, rotations):
    n = 2 * rotations.shape[2]
    rounds = []
    for r in range(rotations.shape[1]):
        y = x @ rotations[:, r, :]
        rounds.append(y.argmax(dim=-1) + r * n)
    return torch.stack(rounds, dim=-2)


def lsh_attention(qk, v, buckets, causal=False):
    S = qk.size(-2)
    k = F.normalize(qk, p=2, dim=-1)
    scores = torch.matmul(qk, k.transpose(-2, -1))
    outputs, logits = [], []
    for r in range(buckets.size(-2)):
        b = buckets[..., r, :]
        masked = b.unsqueeze(-1) != b.unsqueeze(-2)
        if causal:
            masked = masked | torch.ones(S, S, dtype=torch.bool).triu(1)
        s = scores.masked_fill(masked, float("-inf"))
        outputs.append(torch.softmax(s, dim=-1) @ v)
        logits.append(torch.logsumexp(s, dim=-1, keepdim=True))
    weights = torch.softmax(torch.stack(logits), dim=0)
    return (weights * torch.stack(outputs)).sum(0)


qk, v = torch.randn(2, 8, 4), torch.randn(2, 8, 3)
print(lsh_attention(qk, v, lsh_buckets(qk, torch.randn(4, 2, 3))).shape)


class AxialPositions(nn.Module):
    def __init__(self, l1, l2, d1, d2):
        super().__init__()
        self.n1, self.n2 = l1, l2
        self.columns = nn.Embedding(l1 * l2, d1)
        self.rows = nn.Embedding(l1 * l2, d2)

    def forward(self, seq_len):
        j = torch.arange(seq_len)
        return torch.cat([self.columns(j % self.n1), self.rows(j // self.n1)], dim=-1)


def attention_cost(seq_len, embed_dim, num_heads):
    d = embed_dim // num_heads
    scores = num_heads * 2 * seq_len * d * seq_len
    mean = num_heads * 2 * seq_len * seq_len * d
    return scores + mean, seq_len * seq_len * 4


if __name__ == "__main__":
    print("%.1f GB" % (attention_cost(64_000, 768, 12)[1] / 1e9))
