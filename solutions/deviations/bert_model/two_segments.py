"""There are always two segments: the constructor has no argument for their number.

loses: has_the_parameters_of_its_parts
"""

import torch
from torch import nn


class SimpleBertModel(nn.Module):
    def __init__(
        self,
        vocab_size=30522,
        hidden_size=128,
        num_heads=4,
        num_layers=4,
        intermediate_size=256,
        max_position_embeddings=512,
    ):
        super().__init__()
        self.token = nn.Embedding(vocab_size, hidden_size)
        self.position = nn.Embedding(max_position_embeddings, hidden_size)
        self.segment = nn.Embedding(2, hidden_size)
        self.prepare = nn.Sequential(nn.LayerNorm(hidden_size, 1e-12), nn.Dropout(0.1))
        layer = nn.TransformerEncoderLayer(
            hidden_size, num_heads, intermediate_size, 0.1, "gelu", 1e-12, batch_first=True
        )
        self.encoder = nn.TransformerEncoder(layer, num_layers, enable_nested_tensor=False)

    def forward(self, input_ids, token_type_ids=None, attention_mask=None):
        if token_type_ids is None:
            token_type_ids = torch.zeros_like(input_ids)
        positions = torch.arange(input_ids.size(1))
        x = self.token(input_ids) + self.position(positions) + self.segment(token_type_ids)
        hidden = None if attention_mask is None else attention_mask == 0
        return self.encoder(self.prepare(x), src_key_padding_mask=hidden)
