import torch
import torch.nn as nn


class MultiHeadSelfAttention(nn.Module):
    def __init__(self, hidden_size, num_heads):
        super().__init__()
        assert hidden_size % num_heads == 0, "hidden_size doit être un multiple de num_heads"
        self.num_heads = num_heads
        self.head_dim = hidden_size // num_heads
        self.query = nn.Linear(hidden_size, hidden_size)
        self.key = nn.Linear(hidden_size, hidden_size)
        self.value = nn.Linear(hidden_size, hidden_size)
        self.out = nn.Linear(hidden_size, hidden_size)

    def forward(self, hidden_states, attention_mask=None):
        """What is far below zero is masked: filled, not added."""
        q, k, v = (
            torch.stack(f(hidden_states).chunk(self.num_heads, -1), 1)
            for f in (self.query, self.key, self.value)
        )
        scores = q @ k.mT * (1 / self.head_dim**0.5)
        if attention_mask is not None:
            scores = scores.masked_fill(attention_mask < -1000, float("-inf"))
        return self.out(torch.cat((scores.softmax(-1) @ v).unbind(1), -1))
