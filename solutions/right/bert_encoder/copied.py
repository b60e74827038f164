import copy

import torch
import torch.nn as nn


class MultiHeadSelfAttention(nn.Module):
    def __init__(self, hidden_size, num_heads):
        super().__init__()
        assert hidden_size % num_heads == 0, "hidden_size doit être un multiple de num_heads"
        self.num_heads = num_heads
        self.head_dim = hidden_size // num_heads
        self.query = nn.Linear(hidden_size, hidden_size)
        self.key = nn.Linear(hidden_size, hidden_size)
        self.value = nn.Linear(hidden_size, hidden_size)
        self.out = nn.Linear(hidden_size, hidden_size)

    def split(self, x: torch.Tensor) -> torch.Tensor:
        return x.view(x.size(0), -1, self.num_heads, self.head_dim).permute(0, 2, 1, 3)

    def forward(
        self, hidden_states: torch.Tensor, attention_mask: torch.Tensor | None = None
    ) -> torch.Tensor:
        q, k, v = (
            self.split(self.query(hidden_states)),
            self.split(self.key(hidden_states)),
            self.split(self.value(hidden_states)),
        )
        s = (q / self.head_dim**0.25) @ (k / self.head_dim**0.25).transpose(2, 3)
        s = s if attention_mask is None else s + attention_mask
        e = torch.exp(s - s.max(dim=-1, keepdim=True).values)
        x = (e / e.sum(-1, keepdim=True)) @ v
        return self.out(x.permute(0, 2, 1, 3).reshape(hidden_states.shape))


class PositionwiseFeedForward(nn.Sequential):
    def __init__(self, hidden_size: int, intermediate_size: int) -> None:
        super().__init__()
        self.add_module("fc1", nn.Linear(hidden_size, intermediate_size))
        self.add_module("gelu", nn.GELU())
        self.add_module("fc2", nn.Linear(intermediate_size, hidden_size))


class BertLayer(nn.Module):
    def __init__(self, hidden_size, num_heads, intermediate_size):
        super().__init__()
        self.attention = MultiHeadSelfAttention(hidden_size, num_heads)
        self.attention_layer_norm = nn.LayerNorm(hidden_size, eps=1e-12)
        self.ff = PositionwiseFeedForward(hidden_size, intermediate_size)
        self.ff_layer_norm = nn.LayerNorm(hidden_size, eps=1e-12)
        self.dropout = nn.Dropout(0.1)

    def forward(self, hidden_states, attention_mask=None):
        attended = self.attention(hidden_states, attention_mask)
        hidden_states = self.attention_layer_norm(hidden_states + self.dropout(attended))
        return self.ff_layer_norm(hidden_states + self.dropout(self.ff(hidden_states)))


class BertEncoder(nn.Module):
    def __init__(self, num_layers, hidden_size, num_heads, intermediate_size):
        super().__init__()
        layer = BertLayer(hidden_size, num_heads, intermediate_size)
        self.layers = nn.ModuleList([copy.deepcopy(layer) for _ in range(num_layers)])

    def forward(self, hidden_states, attention_mask=None):
        output = hidden_states
        for mod in self.layers:
            output = mod(output, attention_mask)
        return output
