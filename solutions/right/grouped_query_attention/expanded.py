"""Heads shared by expand and reshape; the table of angles and the mask are buffers of a largest length."""

import torch
import torch.nn as nn


def repeat_kv(x, n_rep):
    batch, kv_heads, length, width = x.shape
    if n_rep == 1:
        return x
    x = x[:, :, None, :, :].expand(batch, kv_heads, n_rep, length, width)
    return x.reshape(batch, kv_heads * n_rep, length, width)


def rotate_half(x):
    x1, x2 = x.chunk(2, dim=-1)
    return torch.cat((-x2, x1), dim=-1)


class GroupedQueryAttention(nn.Module):
    def __init__(self, dim, num_heads, num_kv_heads, max_len=1024):
        super().__init__()
        assert dim % num_heads == 0, "heads"
        assert num_heads % num_kv_heads == 0, "groups"
        self.head_dim, self.n_rep = dim // num_heads, num_heads // num_kv_heads
        self.q = nn.Linear(dim, num_heads * self.head_dim, bias=False)
        self.kv = nn.Linear(dim, 2 * num_kv_heads * self.head_dim, bias=False)
        self.o = nn.Linear(dim, dim, bias=False)
        inv_freq = 1.0 / (10000 ** (torch.arange(0, self.head_dim, 2).float() / self.head_dim))
        freqs = torch.outer(torch.arange(max_len).float(), inv_freq)
        emb = torch.cat((freqs, freqs), dim=-1)
        self.register_buffer("cos", emb.cos(), persistent=False)
        self.register_buffer("sin", emb.sin(), persistent=False)
        self.register_buffer("mask", torch.tril(torch.ones(max_len, max_len)).bool(), persistent=False)

    def heads(self, x):
        return x.view(*x.shape[:2], -1, self.head_dim).transpose(1, 2)

    def forward(self, x):
        S = x.shape[1]
        k, v = self.kv(x).chunk(2, dim=-1)
        q, k, v = self.heads(self.q(x)), self.heads(k), self.heads(v)
        cos, sin = self.cos[:S].to(x.dtype), self.sin[:S].to(x.dtype)
        q, k = q * cos + rotate_half(q) * sin, k * cos + rotate_half(k) * sin
        k, v = repeat_kv(k, self.n_rep), repeat_kv(v, self.n_rep)
        scores = torch.matmul(q, k.transpose(2, 3)) * self.head_dim**-0.5
        scores = scores.masked_fill(~self.mask[:S, :S], torch.finfo(scores.dtype).min)
        out = torch.matmul(torch.softmax(scores, dim=-1), v)
        return self.o(out.transpose(1, 2).flatten(2))
