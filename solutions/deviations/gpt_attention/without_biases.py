"""No layer has a bias.

loses: has_four_layers_with_bias
"""

import torch
import torch.nn as nn


class CausalMultiHeadSelfAttention(nn.Module):
    def __init__(self, hidden_size, num_heads):
        super().__init__()
        assert hidden_size % num_heads == 0
        self.num_heads = num_heads
        self.query = nn.Linear(hidden_size, hidden_size, bias=False)
        self.key = nn.Linear(hidden_size, hidden_size, bias=False)
        self.value = nn.Linear(hidden_size, hidden_size, bias=False)
        self.out = nn.Linear(hidden_size, hidden_size, bias=False)

    def split(self, x):
        return x.view(x.shape[0], x.shape[1], self.num_heads, -1).transpose(1, 2)

    def forward(self, hidden_states, attention_mask=None):
        q, k, v = (self.split(layer(hidden_states)) for layer in (self.query, self.key, self.value))
        scores = q @ k.transpose(-2, -1) / q.shape[-1] ** 0.5
        length = q.shape[-2]
        allowed = torch.ones(length, length, dtype=torch.bool).tril()
        if attention_mask is not None:
            allowed = allowed & (attention_mask != 0)
        weights = scores.masked_fill(~allowed, -1e9).softmax(-1)
        return self.out((weights @ v).transpose(1, 2).flatten(2))
