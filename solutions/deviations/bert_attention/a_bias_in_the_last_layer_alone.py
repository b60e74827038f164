"""The layers of query, key and value have no bias.

loses: has_four_layers_with_bias
"""

import torch
import torch.nn as nn


class MultiHeadSelfAttention(nn.Module):
    def __init__(self, hidden_size, num_heads):
        super().__init__()
        assert hidden_size % num_heads == 0
        self.h, self.d = num_heads, hidden_size // num_heads
        self.wq = nn.Linear(hidden_size, hidden_size, bias=False)
        self.wk = nn.Linear(hidden_size, hidden_size, bias=False)
        self.wv = nn.Linear(hidden_size, hidden_size, bias=False)
        self.wo = nn.Linear(hidden_size, hidden_size)

    def forward(self, hidden_states, attention_mask=None):
        b, s, e = hidden_states.shape
        q = self.wq(hidden_states).view(b, s, self.h, self.d).transpose(1, 2)
        k = self.wk(hidden_states).view(b, s, self.h, self.d).transpose(1, 2)
        v = self.wv(hidden_states).view(b, s, self.h, self.d).transpose(1, 2)
        scores = torch.matmul(q, k.transpose(-2, -1)) / self.d**0.5
        if attention_mask is not None:
            scores = scores + attention_mask
        y = torch.matmul(scores.softmax(dim=-1), v)
        return self.wo(y.transpose(1, 2).reshape(b, s, e))
