"""The inner width is always four times the model's: there is no argument for it.

loses: has_the_parameters_of_all_layers
"""

import torch.nn.functional as F
from torch import nn


class FeedForward(nn.Sequential):
    def __init__(self, d_model):
        super().__init__(nn.Linear(d_model, 4 * d_model), nn.GELU(), nn.Linear(4 * d_model, d_model))


class Layer(nn.Module):
    def __init__(self, d_model, n_heads):
        super().__init__()
        assert d_model % n_heads == 0
        self.n_heads = n_heads
        self.qkv, self.out = nn.Linear(d_model, 3 * d_model), nn.Linear(d_model, d_model)
        self.norm1, self.norm2 = nn.LayerNorm(d_model, 1e-12), nn.LayerNorm(d_model, 1e-12)
        self.feed_forward = FeedForward(d_model)

    def attend(self, x, mask):
        q, k, v = (t.unflatten(-1, (self.n_heads, -1)).transpose(1, 2) for t in self.qkv(x).chunk(3, -1))
        heads = F.scaled_dot_product_attention(q, k, v, attn_mask=mask)
        return self.out(heads.transpose(1, 2).flatten(2))

    def forward(self, x, mask=None):
        x = self.norm1(x + self.attend(x, mask))
        return self.norm2(x + self.feed_forward(x))


class BertEncoder(nn.Module):
    def __init__(self, n_layers, d_model, n_heads):
        super().__init__()
        self.blocks = nn.ModuleList(Layer(d_model, n_heads) for _ in range(n_layers))

    def forward(self, hidden_states, attention_mask=None):
        for block in self.blocks:
            hidden_states = block(hidden_states, attention_mask)
        return hidden_states
