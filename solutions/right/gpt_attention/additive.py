import torch
import torch.nn as nn


class CausalMultiHeadSelfAttention(nn.Module):
    def __init__(self, hidden_size, num_heads):
        super().__init__()
        assert hidden_size % num_heads == 0
        self.h, self.d = num_heads, hidden_size // num_heads
        self.query = nn.Linear(hidden_size, hidden_size)
        self.key = nn.Linear(hidden_size, hidden_size)
        self.value = nn.Linear(hidden_size, hidden_size)
        self.out = nn.Linear(hidden_size, hidden_size)

    def forward(self, hidden_states, attention_mask=None):
        B, S, E = hidden_states.shape

        def heads(x):
            return x.view(B, S, self.h, self.d).permute(0, 2, 1, 3)

        q, k, v = heads(self.query(hidden_states)), heads(self.key(hidden_states)), heads(self.value(hidden_states))
        scores = q @ k.mT / self.d**0.5
        scores = scores + torch.full((S, S), -1e9, dtype=scores.dtype).triu(1)
        if attention_mask is not None:
            scores = scores + (1.0 - attention_mask.to(scores.dtype)) * -1e9
        e = torch.exp(scores - scores.max(-1, keepdim=True).values)
        p = e / e.sum(-1, keepdim=True)
        return self.out((p @ v).permute(0, 2, 1, 3).reshape(B, S, E))
