import math

import torch
import torch.nn as nn


class CausalMultiHeadSelfAttention(nn.Module):
    def __init__(self, hidden_size, num_heads):
        super().__init__()
        assert hidden_size % num_heads == 0
        self.num_heads = num_heads
        self.head_dim = hidden_size // num_heads
        self.query = nn.Linear(hidden_size, hidden_size)
        self.key = nn.Linear(hidden_size, hidden_size)
        self.value = nn.Linear(hidden_size, hidden_size)
        self.out = nn.Linear(hidden_size, hidden_size)

    def forward(self, hidden_states, attention_mask=None):
        B, S, _ = hidden_states.size()
        Q = self.query(hidden_states).view(B, S, self.num_heads, self.head_dim).transpose(1, 2)
        K = self.key(hidden_states).view(B, S, self.num_heads, self.head_dim).transpose(1, 2)
        V = self.value(hidden_states).view(B, S, self.num_heads, self.head_dim).transpose(1, 2)
        scores = torch.matmul(Q, K.transpose(-2, -1)) / math.sqrt(self.head_dim)
        mask = torch.tril(torch.ones((S, S), device=hidden_states.device)).view(1, 1, S, S)
        if attention_mask is not None:
            mask = mask * attention_mask
        scores = scores.masked_fill(mask == 0, -1e9)
        context = torch.matmul(torch.softmax(scores, dim=-1), V)
        context = context.transpose(1, 2).contiguous().view(B, S, self.num_heads * self.head_dim)
        return self.out(context)
