"""The inner width is always four times the model's: there is no argument for it.

loses: has_the_parameters_of_its_parts
"""

import torch
import torch.nn.functional as F
from torch import nn


class FeedForward(nn.Sequential):
    def __init__(self, n_embd):
        super().__init__(nn.Linear(n_embd, 4 * n_embd), nn.ReLU(), nn.Linear(4 * n_embd, n_embd))


class GPTBlock(nn.Module):
    def __init__(self, n_embd, n_head):
        super().__init__()
        assert n_embd % n_head == 0
        self.n_head = n_head
        self.key, self.query, self.value, self.proj = (nn.Linear(n_embd, n_embd) for _ in range(4))
        self.ffwd = FeedForward(n_embd)
        self.ln1, self.ln2 = nn.LayerNorm(n_embd), nn.LayerNorm(n_embd)
        self.dropout = nn.Dropout(0.1)

    def attend(self, x, mask):
        B, T, C = x.shape
        projected = (self.query(x), self.key(x), self.value(x))
        q, k, v = (p.view(B, T, self.n_head, -1).transpose(1, 2) for p in projected)
        allowed = torch.ones(T, T).tril().bool()
        if mask is not None:
            allowed = allowed & mask.bool()
        return self.proj(F.scaled_dot_product_attention(q, k, v, allowed).transpose(1, 2).reshape(B, T, C))

    def forward(self, x, attention_mask=None):
        x = self.ln1(x + self.dropout(self.attend(x, attention_mask)))
        return self.ln2(x + self.dropout(self.ffwd(x)))
