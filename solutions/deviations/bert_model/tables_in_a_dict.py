"""The inner width is always four times the model's; the three tables stand in a dictionary.

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
    def __init__(
        self,
        vocab_size=30522,
        hidden_size=128,
        num_heads=4,
        num_layers=4,
        max_position_embeddings=512,
        type_vocab_size=2,
    ):
        super().__init__()
        sizes = {"word": vocab_size, "position": max_position_embeddings, "segment": type_vocab_size}
        self.tables = nn.ModuleDict({name: nn.Embedding(size, hidden_size) for name, size in sizes.items()})
        self.norm, self.drop = nn.LayerNorm(hidden_size, eps=1e-12), nn.Dropout(0.1)
        self.layers = nn.ModuleList([Layer(hidden_size, num_heads) for _ in range(num_layers)])

    def forward(self, input_ids, token_type_ids=None, attention_mask=None):
        types = torch.zeros_like(input_ids) if token_type_ids is None else token_type_ids
        places = torch.arange(input_ids.shape[1])
        x = self.tables["word"](input_ids) + self.tables["position"](places) + self.tables["segment"](types)
        x = self.drop(self.norm(x))
        hidden = None if attention_mask is None else attention_mask[:, None, None] == 0
        mask = None if hidden is None else torch.zeros(hidden.shape, dtype=x.dtype).masked_fill(hidden, -1e9)
        for layer in self.layers:
            x = layer(x, mask)
        return x
