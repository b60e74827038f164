import math

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
        B, S, E = hidden_states.size()
        q, k, v = [
            layer(hidden_states).view(B, S, self.num_heads, self.head_dim).transpose(1, 2)
            for layer in (self.query, self.key, self.value)
        ]
        scores = torch.matmul(q, k.transpose(-2, -1)) / math.sqrt(self.head_dim)
        if attention_mask is not None:
            scores = scores + attention_mask
        context = torch.matmul(torch.softmax(scores, dim=-1), v)
        return self.out(context.transpose(1, 2).contiguous().view(B, S, E))


class PositionwiseFeedForward(nn.Module):
    def __init__(self, hidden_size, intermediate_size):
        super().__init__()
        self.fc1 = nn.Linear(hidden_size, intermediate_size)
        self.fc2 = nn.Linear(intermediate_size, hidden_size)
        self.net = lambda x: self.fc2(F.dropout(F.gelu(self.fc1(x)), 0.1, self.training))

    def forward(self, x):
        return self.net(x)


class BertLayer(nn.Module):
    def __init__(self, hidden_size, num_heads, intermediate_size):
        super().__init__()
        self.attention = MultiHeadSelfAttention(hidden_size, num_heads)
        self.ff = PositionwiseFeedForward(hidden_size, intermediate_size)
        self.attention_layer_norm, self.ff_layer_norm = nn.LayerNorm(hidden_size), nn.LayerNorm(hidden_size)

    def add_and_norm(self, norm, x, answer):
        return norm(torch.add(x, F.dropout(answer, p=0.1, training=self.training)))

    def forward(self, hidden_states, attention_mask=None):
        x = self.add_and_norm(
            self.attention_layer_norm,
            hidden_states,
            self.attention(hidden_states, attention_mask=attention_mask),
        )
        return self.add_and_norm(self.ff_layer_norm, x, self.ff(x))


class BertEncoder(nn.Module):
    def __init__(self, num_layers, hidden_size, num_heads, intermediate_size):
        super(BertEncoder, self).__init__()
        sizes = (hidden_size, num_heads, intermediate_size)
        self.layers = nn.ModuleDict({str(n): BertLayer(*sizes) for n in range(num_layers)})

    def forward(self, hidden_states, attention_mask=None):
        for layer in self.layers.values():
            hidden_states = layer.forward(hidden_states, attention_mask)
        return hidden_states
