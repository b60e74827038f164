import torch
import torch.nn as nn


class BertLayer(nn.Module):
    def __init__(self, hidden_size, num_heads, intermediate_size):
        super().__init__()
        self.heads = num_heads
        self.layer = nn.TransformerEncoderLayer(
            hidden_size,
            num_heads,
            intermediate_size,
            dropout=0.1,
            activation="gelu",
            layer_norm_eps=1e-12,
            batch_first=True,
        )

    def forward(self, hidden_states, attention_mask=None):
        if attention_mask is not None:
            B, S, _ = hidden_states.shape
            attention_mask = attention_mask.expand(B, self.heads, S, S).reshape(-1, S, S)
        return self.layer(hidden_states, src_mask=attention_mask)
