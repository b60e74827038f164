"""The halves are the parts of complex numbers, the rotations a buffer; sizes from a configuration."""

import torch
from torch import nn
from torch.nn import functional as F


class GroupedQueryAttention(nn.Module):
    def __init__(self, args):
        super().__init__()
        assert args.dim % args.num_heads == 0
        assert args.num_heads % args.num_kv_heads == 0
        self.n_rep = args.num_heads // args.num_kv_heads
        self.head_dim = args.dim // args.num_heads
        self.wq = nn.Linear(args.dim, args.dim, bias=False)
        self.wk = nn.Linear(args.dim, args.num_kv_heads * self.head_dim, bias=False)
        self.wv = nn.Linear(args.dim, args.num_kv_heads * self.head_dim, bias=False)
        self.wo = nn.Linear(args.dim, args.dim, bias=False)
        freqs = 1.0 / 10000.0 ** (torch.arange(0, self.head_dim, 2).float() / self.head_dim)
        angles = torch.outer(torch.arange(args.max_seq_len), freqs)[:, None]
        self.register_buffer("freqs_cis", torch.polar(torch.ones_like(angles), angles), persistent=False)

    def turn(self, x):
        real, imag = x.float().chunk(2, dim=-1)
        numbers = torch.complex(real.contiguous(), imag.contiguous()) * self.freqs_cis[: x.shape[1]]
        return torch.cat([numbers.real, numbers.imag], dim=-1).type_as(x)

    def forward(self, x):
        bsz, seqlen, _ = x.shape
        xq = self.turn(self.wq(x).view(bsz, seqlen, -1, self.head_dim)).transpose(1, 2)
        xk = self.turn(self.wk(x).view(bsz, seqlen, -1, self.head_dim))
        xv = self.wv(x).view(bsz, seqlen, -1, self.head_dim)
        keys = torch.repeat_interleave(xk, dim=2, repeats=self.n_rep).transpose(1, 2)
        values = torch.repeat_interleave(xv, dim=2, repeats=self.n_rep).transpose(1, 2)
        scores = torch.matmul(xq, keys.transpose(2, 3)) / self.head_dim**0.5
        if seqlen > 1:
            mask = torch.full((seqlen, seqlen), float("-inf"), dtype=x.dtype)
            scores = scores + torch.triu(mask, diagonal=1)
        output = torch.matmul(F.softmax(scores.float(), dim=-1).type_as(xq), values)
        return self.wo(output.transpose(1, 2).contiguous().view(bsz, seqlen, -1))
