import math

import torch
import torch.nn as nn


class CrossAttention(nn.Module):
    def __init__(self, embed_dim, num_heads, kv_dim=None):
        super().__init__()
        if embed_dim % num_heads:
            raise ValueError
        if kv_dim is None:
            kv_dim = embed_dim
        self.num_heads = num_heads
        self.W_q = nn.Linear(embed_dim, embed_dim)
        self.W_k = nn.Linear(kv_dim, embed_dim)
        self.W_v = nn.Linear(kv_dim, embed_dim)
        self.W_o = nn.Linear(embed_dim, embed_dim)

    def forward(self, x, memory, mask=None):
        queries = self.W_q(x).chunk(self.num_heads, dim=-1)
        keys = self.W_k(memory).chunk(self.num_heads, dim=-1)
        values = self.W_v(memory).chunk(self.num_heads, dim=-1)
        if mask is not None:
            mask = mask.expand(x.shape[0], self.num_heads, x.shape[1], memory.shape[1])
        outs, maps = [], []
        for h, (q, k, v) in enumerate(zip(queries, keys, values)):
            scores = torch.bmm(q, k.transpose(1, 2)) / math.sqrt(q.shape[-1])
            if mask is not None:
                scores[mask[:, h]] = -1e20
            w = torch.exp(scores - scores.max(-1, keepdim=True).values)
            w = w / w.sum(-1, keepdim=True)
            outs.append(torch.bmm(w, v))
            maps.append(w)
        return self.W_o(torch.cat(outs, dim=-1)), torch.stack(maps, dim=1)
