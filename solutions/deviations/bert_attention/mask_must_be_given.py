"""The mask is an argument that may not be left out.

loses: adds_masks_of_every_shape
"""

import math

import torch
import torch.nn as nn


class MultiHeadSelfAttention(nn.Module):
    def __init__(self, hidden_size, num_heads):
        super().__init__()
        if hidden_size % num_heads != 0:
            raise ValueError("hidden_size must be a multiple of num_heads")
        self.num_heads = num_heads
        self.query = nn.Linear(hidden_size, hidden_size)
        self.key = nn.Linear(hidden_size, hidden_size)
        self.value = nn.Linear(hidden_size, hidden_size)
        self.out = nn.Linear(hidden_size, hidden_size)

    def forward(self, hidden_states, attention_mask):
        batch, length, width = hidden_states.shape

        def heads(projected):
            return projected.view(batch, length, self.num_heads, -1).permute(0, 2, 1, 3)

        q, k, v = (
            heads(self.query(hidden_states)),
            heads(self.key(hidden_states)),
            heads(self.value(hidden_states)),
        )
        scores = q @ k.transpose(2, 3) / math.sqrt(width // self.num_heads) + attention_mask
        context = torch.softmax(scores, dim=-1) @ v
        return self.out(context.permute(0, 2, 1, 3).reshape(batch, length, width))
