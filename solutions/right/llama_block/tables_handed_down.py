"""The sizes come from a configuration; the block makes the tables of angles, and hands them to the attention."""

import torch
import torch.nn as nn
import torch.nn.functional as F


class Norm(nn.Module):
    def __init__(self, dim: int, eps: float):
        super().__init__()
        self.eps = eps
        self.weight = nn.Parameter(torch.ones(dim))

    def _norm(self, x):
        return x * torch.rsqrt(x.pow(2).mean(-1, keepdim=True) + self.eps)

    def forward(self, x):
        return self._norm(x.float()).type_as(x) * self.weight


def apply_rotary_emb(x, cos, sin):
    # (B, S, H, D), with tables (S, D / 2)
    first, second = x.chunk(2, dim=-1)
    cos, sin = cos[None, :, None].to(x.dtype), sin[None, :, None].to(x.dtype)
    return torch.cat([first * cos - second * sin, first * sin + second * cos], dim=-1)


class Attention(nn.Module):
    def __init__(self, args):
        super().__init__()
        assert args.dim % args.num_heads == 0 and args.num_heads % args.num_kv_heads == 0
        self.n_rep = args.num_heads // args.num_kv_heads
        self.head_dim = args.dim // args.num_heads
        self.wq = nn.Linear(args.dim, args.dim, bias=False)
        self.wk = nn.Linear(args.dim, args.num_kv_heads * self.head_dim, bias=False)
        self.wv = nn.Linear(args.dim, args.num_kv_heads * self.head_dim, bias=False)
        self.wo = nn.Linear(args.dim, args.dim, bias=False)

    def forward(self, x, cos, sin):
        bsz, seqlen, _ = x.shape
        xq = self.wq(x).view(bsz, seqlen, -1, self.head_dim)
        xk = self.wk(x).view(bsz, seqlen, -1, self.head_dim)
        xv = self.wv(x).view(bsz, seqlen, -1, self.head_dim)
        xq, xk = apply_rotary_emb(xq, cos, sin), apply_rotary_emb(xk, cos, sin)
        xk = xk.repeat_interleave(self.n_rep, dim=2)
        xv = xv.repeat_interleave(self.n_rep, dim=2)
        xq, xk, xv = xq.transpose(1, 2), xk.transpose(1, 2), xv.transpose(1, 2)
        scores = torch.matmul(xq, xk.transpose(2, 3)) / self.head_dim**0.5
        mask = torch.full((seqlen, seqlen), float("-inf"), dtype=x.dtype).triu(1)
        output = torch.matmul(F.softmax(scores + mask, dim=-1), xv)
        return self.wo(output.transpose(1, 2).reshape(bsz, seqlen, -1))


class FeedForward(nn.Module):
    def __init__(self, dim, hidden_dim):
        super().__init__()
        self.w1 = nn.Linear(dim, hidden_dim, bias=False)
        self.w2 = nn.Linear(hidden_dim, dim, bias=False)
        self.w3 = nn.Linear(dim, hidden_dim, bias=False)

    def forward(self, x):
        return self.w2(F.silu(self.w1(x)) * self.w3(x))


def precompute(width, length):
    speeds = 1.0 / 10000.0 ** (torch.arange(0, width, 2).double() / width)
    angles = torch.outer(torch.arange(length).double(), speeds)
    return angles.cos(), angles.sin()


class LlamaBlock(nn.Module):
    def __init__(self, args):
        super().__init__()
        self.head_dim = args.dim // args.num_heads
        self.attention = Attention(args)
        self.feed_forward = FeedForward(args.dim, args.hidden_dim)
        self.attention_norm = Norm(args.dim, eps=1e-5)
        self.ffn_norm = Norm(args.dim, eps=1e-5)

    def forward(self, x):
        cos, sin = precompute(self.head_dim, x.shape[1])
        h = x + self.attention(self.attention_norm(x), cos, sin)
        out = h + self.feed_forward(self.ffn_norm(h))
        return out
