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
        q, k, v = self.query(hidden_states), self.key(hidden_states), self.value(hidden_states)
        B, S, _ = q.shape
        if attention_mask is not None:
            attention_mask = attention_mask.expand(B, self.num_heads, S, S)
        outputs = []
        for h in range(self.num_heads):
            part = slice(h * self.head_dim, (h + 1) * self.head_dim)
            scores = torch.bmm(q[..., part], k[..., part].transpose(1, 2)) / self.head_dim**0.5
            if attention_mask is not None:
                scores += attention_mask[:, h]
            outputs.append(F.softmax(scores, dim=2).bmm(v[..., part]))
        return self.out(torch.cat(outputs, dim=-1))


class PositionwiseFeedForward(nn.Module):
    def __init__(self, hidden_size, intermediate_size):
        super().__init__()
        self.fc1 = nn.Linear(hidden_size, intermediate_size)
        self.fc2 = nn.Linear(intermediate_size, hidden_size)

    def forward(self, x):
        y = torch.einsum("bse,fe->bsf", x, self.fc1.weight) + self.fc1.bias
        y = y * 0.5 * (1 + torch.tanh(math.sqrt(2 / math.pi) * (y + 0.044715 * y**3)))
        return y @ self.fc2.weight.T + self.fc2.bias


class BertLayer(nn.Module):
    def __init__(self, hidden_size, num_heads, intermediate_size):
        super().__init__()
        self.attention = MultiHeadSelfAttention(hidden_size, num_heads)
        self.attention_layer_norm = nn.LayerNorm([hidden_size], eps=1e-12)
        self.ff = PositionwiseFeedForward(hidden_size, intermediate_size)
        self.ff_layer_norm = nn.LayerNorm([hidden_size], eps=1e-12)
        self.dropout = nn.Dropout(0.1)

    def attend(self, x, mask):
        if mask is None:
            return self.attention(x)
        return self.attention(x, mask)

    def forward(self, hidden_states, attention_mask=None):
        x = hidden_states.clone()
        x += self.dropout(self.attend(hidden_states, attention_mask))
        x = self.attention_layer_norm(x)
        y = self.ff(x)
        y = self.dropout(y)
        y = y + x
        return self.ff_layer_norm(y)


class BertEncoder(nn.Module):
    def __init__(self, num_layers, hidden_size, num_heads, intermediate_size):
        super().__init__()
        self.layers = nn.Sequential(
            *[BertLayer(hidden_size, num_heads, intermediate_size) for _ in range(num_layers)]
        )

    def forward(self, hidden_states, attention_mask=None):
        all_states = [hidden_states]
        for number, layer in enumerate(self.layers):
            all_states.append(layer(all_states[number], attention_mask))
        return all_states[-1]
