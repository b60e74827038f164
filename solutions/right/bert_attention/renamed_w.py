import math

import torch
import torch.nn as nn


class MultiHeadSelfAttention(nn.Module):
    def __init__(self, hidden_size, num_heads):
        super().__init__()
        assert hidden_size % num_heads == 0, "hidden_size doit être un multiple de num_heads"
        self.num_heads = num_heads
        self.head_dim = hidden_size // num_heads
        self.W_q = nn.Linear(hidden_size, hidden_size)
        self.W_k = nn.Linear(hidden_size, hidden_size)
        self.W_v = nn.Linear(hidden_size, hidden_size)
        self.W_o = nn.Linear(hidden_size, hidden_size)

    def forward(self, hidden_states, attention_mask=None):
        B, S, E = hidden_states.shape
        q, k, v = (
            w(hidden_states).view(B, S, self.num_heads, self.head_dim).transpose(1, 2)
            for w in (self.W_q, self.W_k, self.W_v)
        )
        s = q @ k.mT / math.sqrt(self.head_dim)
        if attention_mask is not None:
            s = s + attention_mask
        return self.W_o((s.softmax(-1) @ v).transpose(1, 2).reshape(B, S, E))
