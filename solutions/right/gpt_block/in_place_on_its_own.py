import math

import torch
import torch.nn as nn
import torch.nn.functional as F


class CausalMultiHeadSelfAttention(nn.Module):
    def __init__(self, hidden_size, num_heads, max_length=512):
        super().__init__()
        assert hidden_size % num_heads == 0
        self.num_heads, self.head_dim = num_heads, hidden_size // num_heads
        self.query = nn.Linear(hidden_size, hidden_size)
        self.key = nn.Linear(hidden_size, hidden_size)
        self.value = nn.Linear(hidden_size, hidden_size)
        self.out = nn.Linear(hidden_size, hidden_size)
        self.register_buffer("causal", torch.tril(torch.ones(1, 1, max_length, max_length)).bool(), persistent=False)

    def split(self, x):
        return x.reshape(x.shape[0], x.shape[1], self.num_heads, self.head_dim).transpose(1, 2)

    def forward(self, hidden_states, attention_mask=None):
        S = hidden_states.shape[1]
        Q, K, V = self.split(self.query(hidden_states)), self.split(self.key(hidden_states)), self.split(self.value(hidden_states))
        scores = torch.matmul(Q / math.sqrt(self.head_dim), K.transpose(2, 3))
        scores.masked_fill_(~self.causal[:, :, :S, :S], torch.finfo(scores.dtype).min)
        if attention_mask is not None:
            scores.masked_fill_(attention_mask.logical_not(), torch.finfo(scores.dtype).min)
        return self.out(F.softmax(scores, dim=-1).matmul(V).transpose(1, 2).flatten(start_dim=2))


class PositionwiseFeedForward(nn.Module):
    def __init__(self, hidden_size, intermediate_size):
        super().__init__()
        layers = {"fc1": nn.Linear(hidden_size, intermediate_size), "fc2": nn.Linear(intermediate_size, hidden_size)}
        for name, layer in layers.items():
            self.add_module(name, layer)

    def forward(self, x):
        return torch.stack([self.fc2(self.fc1(position).clamp(min=0)) for position in x.unbind(1)], dim=1)


class GPTBlock(nn.Module):
    def __init__(self, hidden_size, num_heads, intermediate_size):
        super().__init__()
        self.attn = CausalMultiHeadSelfAttention(hidden_size, num_heads)
        self.attn_layer_norm = nn.LayerNorm(hidden_size, 1e-5)
        self.ff = PositionwiseFeedForward(hidden_size, intermediate_size)
        self.ff_layer_norm = nn.LayerNorm(hidden_size, 1e-5)
        self.dropout = nn.Dropout(0.1)

    def forward(self, hidden_states, attention_mask=None):
        h = self.dropout(self.attn(hidden_states, attention_mask)).clone()
        h += hidden_states
        h = self.attn_layer_norm(h)
        out = self.dropout(self.ff(h)).clone()
        out += h
        return self.ff_layer_norm(out)
