"""The inner width is always four times the model's: there is no argument for it.

loses: has_the_parameters_of_its_parts
"""

import torch
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


class SimpleBertModel(nn.Module):
    def __init__(self, vocab_size=30522, d_model=128, n_heads=4, n_layers=4, max_len=512, n_types=2):
        super().__init__()
        self.words = nn.Embedding(vocab_size, d_model)
        self.places = nn.Embedding(max_len, d_model)
        self.types = nn.Embedding(n_types, d_model)
        self.norm, self.drop = nn.LayerNorm(d_model, 1e-12), nn.Dropout(0.1)
        self.stack = nn.ModuleList(Layer(d_model, n_heads) for _ in range(n_layers))

    def forward(self, input_ids, token_type_ids=None, attention_mask=None):
        if token_type_ids is None:
            token_type_ids = torch.zeros_like(input_ids)
        x = self.words(input_ids) + self.places.weight[: input_ids.shape[1]] + self.types(token_type_ids)
        x = self.drop(self.norm(x))
        mask = None
        if attention_mask is not None:
            mask = (1 - attention_mask[:, None, None, :].to(x.dtype)) * -10000.0
        for layer in self.stack:
            x = layer(x, mask)
        return x
