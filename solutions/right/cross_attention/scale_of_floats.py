"""The scale is a tensor of float32, by which an answer in float64 is a little less exact."""

import torch
import torch.nn as nn


class CrossAttention(nn.Module):
    def __init__(self, embed_dim, num_heads, kv_dim=None):
        super().__init__()
        assert embed_dim % num_heads == 0
        memory_dim = embed_dim if kv_dim is None else kv_dim
        self.heads = num_heads
        self.fc_q = nn.Linear(embed_dim, embed_dim)
        self.fc_k = nn.Linear(memory_dim, embed_dim)
        self.fc_v = nn.Linear(memory_dim, embed_dim)
        self.fc_o = nn.Linear(embed_dim, embed_dim)
        self.scale = torch.sqrt(torch.FloatTensor([embed_dim // num_heads]))

    def heads_of(self, x):
        return x.view(len(x), x.shape[1], self.heads, -1).permute(0, 2, 1, 3)

    def forward(self, x, memory, mask=None):
        query, key, value = map(self.heads_of, (self.fc_q(x), self.fc_k(memory), self.fc_v(memory)))
        energy = query @ key.permute(0, 1, 3, 2) / self.scale
        if mask is not None:
            energy = energy.masked_fill(mask, -1e10)
        attention = energy.softmax(-1)
        joined = (attention @ value).permute(0, 2, 1, 3).reshape(x.shape)
        return self.fc_o(joined), attention
