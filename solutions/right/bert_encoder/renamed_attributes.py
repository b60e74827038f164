import torch
import torch.nn as nn
import torch.nn.functional as F


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

    def forward(self, hidden_states, attention_mask=None):
        q, k, v = (
            f(hidden_states).unflatten(-1, (self.num_heads, -1)).transpose(1, 2)
            for f in (self.query, self.key, self.value)
        )
        x = F.scaled_dot_product_attention(q, k, v, attn_mask=attention_mask)
        return self.out(x.transpose(1, 2).flatten(2))


class PositionwiseFeedForward(nn.Module):
    def __init__(self, hidden_size, intermediate_size):
        super().__init__()
        self.fc1 = nn.Linear(hidden_size, intermediate_size)
        self.fc2 = nn.Linear(intermediate_size, hidden_size)

    def forward(self, x):
        return self.fc2(F.gelu(self.fc1(x), approximate="tanh"))


class BertLayer(nn.Module):
    def __init__(self, hidden_size, num_heads, intermediate_size):
        super().__init__()
        parts = {
            "attention": MultiHeadSelfAttention(hidden_size, num_heads),
            "attention_layer_norm": nn.LayerNorm(hidden_size, eps=1e-12),
            "ff": PositionwiseFeedForward(hidden_size, intermediate_size),
            "ff_layer_norm": nn.LayerNorm(hidden_size, eps=1e-12),
            "drop": nn.Dropout(0.1),
        }
        for name, part in parts.items():
            self.add_module(name, part)

    def forward(self, hidden_states, attention_mask=None):
        y = self.attention_layer_norm(
            self.attention(self.drop(hidden_states), attention_mask) + hidden_states
        )
        return self.drop(self.ff_layer_norm(self.ff(y) + y))


class BertEncoder(nn.Module):
    def __init__(self, num_layers, hidden_size, num_heads, intermediate_size):
        super().__init__()
        self.n = num_layers
        for i in range(num_layers):
            setattr(self, f"layer_{i}", BertLayer(hidden_size, num_heads, intermediate_size))

    def forward(self, hidden_states, attention_mask=None):
        for i in range(self.n):
            hidden_states = getattr(self, f"layer_{i}")(hidden_states, attention_mask)
        return hidden_states
