import math

import torch
import torch.nn as nn


class CausalMultiHeadSelfAttention(nn.Module):
    def __init__(self, nx, n_ctx, config):
        super().__init__()
        assert nx % config.n_head == 0
        self.n_head = config.n_head
        self.to_qkv = nn.Linear(nx, 3 * nx)
        self.proj = nn.Linear(nx, nx)
        self.register_buffer("past", torch.tril(torch.ones(n_ctx, n_ctx, dtype=torch.bool)))

    def forward(self, x, attention_mask=None):
        batch, length, width = x.shape
        q, k, v = (
            part.view(batch, length, self.n_head, -1).transpose(1, 2)
            for part in self.to_qkv(x).chunk(3, dim=-1)
        )
        seen = self.past[:length, :length]
        if attention_mask is not None:
            seen = seen & attention_mask.bool()
        scores = (q @ k.transpose(-2, -1) / math.sqrt(width // self.n_head)).masked_fill(~seen, -math.inf)
        return self.proj((scores.softmax(-1) @ v).transpose(1, 2).reshape(batch, length, width))
