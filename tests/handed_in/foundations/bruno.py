"""Fondations, Bruno."""

import math

import matplotlib.pyplot as plt
import torch
import torch.nn as nn
import torch.nn.functional as F


class SelfAttention(nn.Module):
    def __init__(self, embed_dim):
        super().__init__()
        self.W_q = nn.Linear(embed_dim, embed_dim)
        self.W_k = nn.Linear(embed_dim, embed_dim)
        self.W_v = nn.Linear(embed_dim, embed_dim)

    def forward(self, x, mask=None):
        q, k, v = self.W_q(x), self.W_k(x), self.W_v(x)
        scores = q @ k.transpose(-2, -1)
        if mask is not None:
            scores = scores.masked_fill(mask, float("-inf"))
        weights = F.softmax(scores, dim=-1)
        return weights @ v, weights


class Head(nn.Module):
    def __init__(self, n_embd, head_size, block_size):
        super().__init__()
        self.key = nn.Linear(n_embd, head_size, bias=False)
        self.query = nn.Linear(n_embd, head_size, bias=False)
        self.value = nn.Linear(n_embd, head_size, bias=False)
        self.register_buffer("tril", torch.tril(torch.ones(block_size, block_size)))

    def forward(self, x):
        T = x.shape[1]
        k, q = self.key(x), self.query(x)
        wei = q @ k.transpose(-2, -1) * k.shape[-1] ** -0.5
        wei = wei.masked_fill(self.tril[:T, :T] == 0, float("-inf"))
        return F.softmax(wei, dim=-1) @ self.value(x)


class MultiHead(nn.Module):
    def __init__(self, num_heads, head_size, n_embd, block_size, dropout=0.0):
        super().__init__()
        self.heads = nn.ModuleList([Head(n_embd, head_size, block_size) for _ in range(num_heads)])
        self.proj = nn.Linear(num_heads * head_size, n_embd)

    def forward(self, x):
        return self.proj(torch.cat([head(x) for head in self.heads], dim=-1))


def from_torch(theirs, mine):
    with torch.no_grad():
        W_q, W_v, W_k = theirs.in_proj_weight.chunk(3)
        mine.W_q.weight.copy_(W_q)
        mine.W_k.weight.copy_(W_k)
        mine.W_v.weight.copy_(W_v)
        for name, bias in zip(("W_q", "W_v", "W_k"), (None,) * 3 if theirs.in_proj_bias is None else theirs.in_proj_bias.chunk(3)):
            layer = getattr(mine, name)
            layer.bias.zero_() if bias is None else layer.bias.copy_(bias)
        mine.W_o.weight.copy_(theirs.out_proj.weight)
        mine.W_o.bias.zero_() if theirs.out_proj.bias is None else mine.W_o.bias.copy_(theirs.out_proj.bias)
    return mine


def to_additive(mask, sense="hides"):
    if sense == "adds":
        return mask
    hidden = mask.bool() if sense == "hides" else ~mask.bool()
    return hidden.float() * float("-inf")


class LayerNorm(nn.Module):
    def __init__(self, dim, eps=1e-5):
        super().__init__()
        self.gamma = nn.Parameter(torch.ones(dim))
        self.beta = nn.Parameter(torch.zeros(dim))
        self.eps = eps

    def forward(self, x):
        mean = x.mean(-1, keepdim=True)
        std = x.std(-1, keepdim=True)
        return self.gamma * (x - mean) / (std + self.eps) + self.beta


class Residual(nn.Module):
    def __init__(self, layer, dim, dropout=0.0, pre=True):
        super().__init__()
        self.layer = layer
        self.norm = nn.LayerNorm(dim)
        self.dropout = nn.Dropout(dropout)
        self.pre = pre

    def forward(self, x):
        if self.pre:
            x = self.norm(x)
            return x + self.dropout(self.layer(x))
        return self.norm(x + self.dropout(self.layer(x)))


def cross_entropy(logits, targets, ignore_index=-100):
    keep = targets != ignore_index
    p = F.softmax(logits[keep], dim=-1)
    return -torch.log(p[torch.arange(len(p)), targets[keep]]).mean()


def causal_conv1d(x, weight, bias=None):
    K = weight.shape[-1]
    x = F.pad(x.transpose(1, 2), (K - 1, 0))
    return F.conv1d(x, weight, bias).transpose(1, 2)


def head_scores(weights):
    S = weights.shape[-1]
    return {
        "previous": weights.diagonal(-1, -2, -1).mean(-1),
        "first": weights[:, :, 0].mean(-1),
        "self": weights.diagonal(0, -2, -1).mean(-1),
        "entropy": -(weights * weights.log()).sum(-1).mean(-1),
    }


def strongest(attentions, kind):
    table = torch.stack([torch.stack([head_scores(w)[kind] for w in layer]).mean(0) for layer in attentions])
    return divmod(table.argmax().item(), table.shape[1])


def plot_heads(attentions, tokens, layer, heads):
    fig, axes = plt.subplots(1, len(heads), squeeze=False)
    for ax, head in zip(axes[0], heads):
        ax.imshow(attentions[layer][0, head].numpy(), cmap="Blues")
        ax.set_xticks(range(len(tokens)), tokens)
        ax.set_yticks(range(len(tokens)), tokens)
    plt.tight_layout()
    plt.show()


def count_model(vocab_size, dim, layers, ff_dim, positions, types=0, tied=True):
    block = 4 * (dim * dim + dim) + 2 * dim * ff_dim + ff_dim + dim + 4 * dim
    return vocab_size * dim + positions * dim + types * dim + 2 * dim + layers * block + vocab_size * dim
