"""The inner width is always four times the model's: there is no argument for it.

loses: has_the_parameters_of_its_parts
"""

import torch.nn.functional as F
from torch import nn


class FeedForward(nn.Sequential):
    def __init__(self, d_model, dropout):
        super().__init__(
            nn.Linear(d_model, 4 * d_model), nn.ReLU(), nn.Dropout(dropout), nn.Linear(4 * d_model, d_model)
        )


class TransformerBlock(nn.Module):
    def __init__(self, d_model, n_heads, dropout=0.1):
        super().__init__()
        assert d_model % n_heads == 0
        self.n_heads = n_heads
        self.q, self.k, self.v, self.o = (nn.Linear(d_model, d_model) for _ in range(4))
        self.ffwd = FeedForward(d_model, dropout)
        self.norm_a, self.norm_f = nn.LayerNorm(d_model), nn.LayerNorm(d_model)

    def attend(self, x, mask):
        projected = (self.q(x), self.k(x), self.v(x))
        q, k, v = (p.unflatten(-1, (self.n_heads, -1)).transpose(1, 2) for p in projected)
        seen = None if mask is None else ~mask
        return self.o(F.scaled_dot_product_attention(q, k, v, attn_mask=seen).transpose(1, 2).flatten(2))

    def forward(self, x, mask=None):
        x = x + self.attend(self.norm_a(x), mask)
        return x + self.ffwd(self.norm_f(x))
