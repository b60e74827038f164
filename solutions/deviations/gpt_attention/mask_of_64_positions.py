"""The causal mask is made for 64 positions.

loses: answers_long_sequences
"""

import math

import torch
import torch.nn as nn


class CausalMultiHeadSelfAttention(nn.Module):
    def __init__(self, hidden_size, num_heads, max_length=64):
        super().__init__()
        if hidden_size % num_heads != 0:
            raise ValueError("hidden_size must be a multiple of num_heads")
        self.num_heads, self.head_dim = num_heads, hidden_size // num_heads
        self.query = nn.Linear(hidden_size, hidden_size)
        self.key = nn.Linear(hidden_size, hidden_size)
        self.value = nn.Linear(hidden_size, hidden_size)
        self.out = nn.Linear(hidden_size, hidden_size)
        self.register_buffer(
            "causal", torch.tril(torch.ones(max_length, max_length)).bool(), persistent=False
        )

    def forward(self, hidden_states, attention_mask=None):
        B, S, E = hidden_states.shape
        shape = (B, S, self.num_heads, self.head_dim)
        q = self.query(hidden_states).view(shape).transpose(1, 2)
        k = self.key(hidden_states).view(shape).transpose(1, 2)
        v = self.value(hidden_states).view(shape).transpose(1, 2)
        scores = q @ k.transpose(-2, -1) / math.sqrt(self.head_dim)
        scores = scores.masked_fill(~self.causal[:S, :S], -1e9)
        if attention_mask is not None:
            scores = scores.masked_fill(attention_mask == 0, -1e9)
        return self.out((scores.softmax(-1) @ v).transpose(1, 2).reshape(B, S, E))
