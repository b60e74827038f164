"""Sizes come from a configuration, and the width of a head follows from that of the model.

loses: has_heads_and_a_projection
"""

import torch
from torch import nn


class MultiHead(nn.Module):
    def __init__(self, config):
        super().__init__()
        self.n_head, size = config.n_head, config.n_embd // config.n_head
        layers = [nn.Linear(config.n_embd, size, bias=config.qkv_bias) for _ in range(3 * self.n_head)]
        self.query = nn.ModuleList(layers[: self.n_head])
        self.key = nn.ModuleList(layers[self.n_head : 2 * self.n_head])
        self.value = nn.ModuleList(layers[2 * self.n_head :])
        self.c_proj = nn.Linear(config.n_embd, config.n_embd)
        self.dropout = nn.Dropout(config.dropout)

    def forward(self, x):
        heads = []
        for n in range(self.n_head):
            q, k, v = self.query[n](x), self.key[n](x), self.value[n](x)
            scores = q @ k.transpose(1, 2) * q.shape[-1] ** -0.5
            seen = torch.tril(torch.ones_like(scores[0], dtype=torch.bool))
            heads.append(torch.softmax(scores.masked_fill(~seen, float("-inf")), dim=2) @ v)
        return self.dropout(self.c_proj(torch.cat(heads, dim=2)))
