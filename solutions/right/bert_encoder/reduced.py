from functools import reduce
import math

import torch
import torch.nn as nn
import torch.nn.functional as F


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


def gelu(x):
    return 0.5 * x * (1 + torch.erf(x / math.sqrt(2)))


class PositionwiseFeedForward(nn.Module):
    def __init__(self, hidden_size, intermediate_size):
        super().__init__()
        self.fc1, self.fc2 = (
            nn.Linear(hidden_size, intermediate_size),
            nn.Linear(intermediate_size, hidden_size),
        )

    def forward(self, x):
        return self.fc2(gelu(self.fc1(x)))


class BertLayer(nn.Module):
    def __init__(self, hidden_size: int, num_heads: int, intermediate_size: int) -> None:
        super().__init__()
        self.ff_layer_norm = nn.LayerNorm(hidden_size, eps=1e-12)
        self.ff = PositionwiseFeedForward(hidden_size, intermediate_size)
        self.attention_layer_norm = nn.LayerNorm(hidden_size, eps=1e-12)
        self.attention = MultiHeadSelfAttention(hidden_size, num_heads)
        self.dropout = nn.Dropout(p=0.1)

    def forward(
        self, hidden_states: torch.Tensor, attention_mask: torch.Tensor | None = None
    ) -> torch.Tensor:
        x = hidden_states
        for norm, part in (
            (self.attention_layer_norm, lambda y: self.attention(y, attention_mask)),
            (self.ff_layer_norm, self.ff),
        ):
            x = F.layer_norm(x + self.dropout(part(x)), (x.size(-1),), norm.weight, norm.bias, norm.eps)
        return x


class BertEncoder(nn.Module):
    def __init__(self, num_layers: int, hidden_size: int, num_heads: int, intermediate_size: int) -> None:
        super().__init__()
        self.layers = nn.ModuleList(
            BertLayer(hidden_size=hidden_size, num_heads=num_heads, intermediate_size=intermediate_size)
            for _ in range(num_layers)
        )

    def forward(
        self, hidden_states: torch.Tensor, attention_mask: torch.Tensor | None = None
    ) -> torch.Tensor:
        return reduce(lambda x, layer: layer(x, attention_mask), self.layers, hidden_states)
