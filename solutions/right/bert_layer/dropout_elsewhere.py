import math

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


class PositionwiseFeedForward(nn.Module):
    def __init__(self, hidden_size, intermediate_size):
        super().__init__()
        self.fc1 = nn.Linear(hidden_size, intermediate_size)
        self.fc2 = nn.Linear(intermediate_size, hidden_size)

    def forward(self, x):
        y = torch.einsum("bse,fe->bsf", x, self.fc1.weight) + self.fc1.bias
        y = y * 0.5 * (1 + torch.tanh(math.sqrt(2 / math.pi) * (y + 0.044715 * y**3)))
        return y @ self.fc2.weight.T + self.fc2.bias


class BertLayer(nn.Module):
    def __init__(self, hidden_size, num_heads, intermediate_size):
        super().__init__()
        parts = {
            "attention": MultiHeadSelfAttention(hidden_size, num_heads),
            "attention_layer_norm": nn.LayerNorm(hidden_size, eps=1e-12),
            "ff": PositionwiseFeedForward(hidden_size, intermediate_size),
            "ff_layer_norm": nn.LayerNorm(hidden_size, eps=1e-12),
            "drop": nn.Dropout(0.1),
        }
        for name, part in parts.items():
            self.add_module(name, part)

    def forward(self, hidden_states, attention_mask=None):
        y = self.attention_layer_norm(
            self.attention(self.drop(hidden_states), attention_mask) + hidden_states
        )
        return self.drop(self.ff_layer_norm(self.ff(y) + y))
