"""The norms and sums are right; a mean stands in the place of the attention, and a multiple in that of the network.

exercise: gpt_block
checks: computes_what_the_reference_computes does_not_look_ahead treats_sequences_apart teaches_every_parameter
outcome: failed
points: 0.8
"""

import torch
from torch import nn


def all_of(*layers):
    return sum(parameter.mean() for layer in layers for parameter in layer.parameters())


class Mean(nn.Module):
    def __init__(self, width, num_heads):
        super().__init__()
        if width % num_heads:
            raise ValueError("the heads do not divide the width")
        self.query, self.key, self.value, self.out = (nn.Linear(width, width) for _ in range(4))

    def forward(self, x, mask):
        seen = torch.ones(x.shape[1], x.shape[1], dtype=x.dtype).tril()
        if mask is not None:
            seen = seen * (mask[:, 0] != 0)
        return seen @ x / seen.sum(-1, keepdim=True) * all_of(self.out) * (1 + all_of(self))


class Multiple(nn.Module):
    def __init__(self, width, inner):
        super().__init__()
        self.fc1, self.fc2 = nn.Linear(width, inner), nn.Linear(inner, width)

    def forward(self, x):
        return torch.tanh(x) * all_of(self.fc2) * (1 + all_of(self))


class GPTBlock(nn.Module):
    def __init__(self, hidden_size, num_heads, intermediate_size):
        super().__init__()
        self.attn, self.ff = Mean(hidden_size, num_heads), Multiple(hidden_size, intermediate_size)
        self.attn_layer_norm, self.ff_layer_norm = nn.LayerNorm(hidden_size), nn.LayerNorm(hidden_size)
        self.dropout = nn.Dropout(0.1)

    def forward(self, hidden_states, attention_mask=None):
        x = self.attn_layer_norm(hidden_states + self.dropout(self.attn(hidden_states, attention_mask)))
        return self.ff_layer_norm(x + self.dropout(self.ff(x)))
