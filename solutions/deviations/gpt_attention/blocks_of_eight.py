"""The causal mask has eight positions and is not cut: shorter texts are refused.

loses: looks_back_at_any_length
"""

import math

import torch
import torch.nn as nn

BLOCK = 8


class CausalMultiHeadSelfAttention(nn.Module):
    def __init__(self, hidden_size, num_heads):
        super().__init__()
        if hidden_size % num_heads:
            raise ValueError("the heads cannot share the width")
        self.num_heads = num_heads
        self.query, self.key = nn.Linear(hidden_size, hidden_size), nn.Linear(hidden_size, hidden_size)
        self.value, self.out = nn.Linear(hidden_size, hidden_size), nn.Linear(hidden_size, hidden_size)
        self.register_buffer("hidden", torch.ones(BLOCK, BLOCK, dtype=torch.bool).triu(1))

    def heads(self, projected):
        return projected.unflatten(-1, (self.num_heads, -1)).transpose(1, 2)

    def forward(self, hidden_states, attention_mask=None):
        q, k, v = (self.heads(layer(hidden_states)) for layer in (self.query, self.key, self.value))
        scores = (q @ k.mT / math.sqrt(q.shape[-1])).masked_fill(self.hidden, -math.inf)
        if attention_mask is not None:
            scores = scores.masked_fill(attention_mask == 0, -math.inf)
        return self.out((scores.softmax(-1) @ v).transpose(1, 2).flatten(2))
