import math

import torch
import torch.nn as nn


class CausalMultiHeadSelfAttention(nn.Module):
    def __init__(self, hidden_size, num_heads):
        super().__init__()
        assert hidden_size % num_heads == 0
        self.num_heads = num_heads
        self.query = nn.Linear(hidden_size, hidden_size)
        self.key = nn.Linear(hidden_size, hidden_size)
        self.value = nn.Linear(hidden_size, hidden_size)
        self.out = nn.Linear(hidden_size, hidden_size)

    def forward(self, hidden_states, attention_mask=None):
        allowed = torch.tril(torch.ones(hidden_states.size(1), hidden_states.size(1))) == 1
        if attention_mask is not None:
            allowed = torch.logical_and(allowed, attention_mask[:, 0] == 1)
        found = []
        for q, k, v in zip(*(layer(hidden_states).chunk(self.num_heads, dim=-1) for layer in (self.query, self.key, self.value))):
            scores = torch.bmm(q, k.transpose(1, 2)) / math.sqrt(q.shape[-1])
            scores = torch.where(allowed, scores, torch.full_like(scores, -torch.inf))
            found.append(torch.bmm(torch.softmax(scores, -1), v))
        return self.out(torch.cat(found, dim=-1))
