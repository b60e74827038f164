import math

import torch
import torch.nn as nn


class CausalMultiHeadSelfAttention(nn.Module):
    def __init__(self, hidden_size, num_heads):
        super().__init__()
        assert hidden_size % num_heads == 0
        self.n = num_heads
        self.query = nn.Linear(hidden_size, hidden_size)
        self.key = nn.Linear(hidden_size, hidden_size)
        self.value = nn.Linear(hidden_size, hidden_size)
        self.out = nn.Linear(hidden_size, hidden_size)

    def forward(self, hidden_states, attention_mask=None):
        B, S, E = hidden_states.shape
        Q, K, V = [f(hidden_states).view(B, S, self.n, E // self.n) for f in (self.query, self.key, self.value)]
        outputs = []
        for i in range(S):  # only the past is ever touched
            scores = (Q[:, i : i + 1] * K[:, : i + 1]).sum(-1) / math.sqrt(E // self.n)  # (B, i + 1, H)
            if attention_mask is not None:
                scores = scores.masked_fill(attention_mask[:, 0, i, : i + 1, None] == 0, -1e9)
            outputs.append((scores.softmax(1).unsqueeze(-1) * V[:, : i + 1]).sum(1).view(B, E))
        return self.out(torch.stack(outputs, dim=1))
