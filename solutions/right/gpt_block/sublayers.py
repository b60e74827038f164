import torch
import torch.nn as nn
import torch.nn.functional as F


class CausalMultiHeadSelfAttention(nn.Module):
    def __init__(self, hidden_size, num_heads):
        super().__init__()
        assert hidden_size % num_heads == 0
        self.h, self.d = num_heads, hidden_size // num_heads
        self.query = nn.Linear(hidden_size, hidden_size)
        self.key = nn.Linear(hidden_size, hidden_size)
        self.value = nn.Linear(hidden_size, hidden_size)
        self.out = nn.Linear(hidden_size, hidden_size)

    def forward(self, hidden_states, attention_mask=None):
        B, S, E = hidden_states.shape

        def heads(x):
            return x.view(B, S, self.h, self.d).permute(0, 2, 1, 3)

        q, k, v = heads(self.query(hidden_states)), heads(self.key(hidden_states)), heads(self.value(hidden_states))
        scores = q @ k.mT / self.d**0.5
        scores = scores + torch.full((S, S), -1e9, dtype=scores.dtype).triu(1)
        if attention_mask is not None:
            scores = scores + (1.0 - attention_mask.to(scores.dtype)) * -1e9
        e = torch.exp(scores - scores.max(-1, keepdim=True).values)
        p = e / e.sum(-1, keepdim=True)
        return self.out((p @ v).permute(0, 2, 1, 3).reshape(B, S, E))


class PositionwiseFeedForward(nn.Module):
    def __init__(self, hidden_size, intermediate_size):
        super().__init__()
        self.fc2 = nn.Linear(intermediate_size, hidden_size)
        self.fc1 = nn.Linear(hidden_size, intermediate_size)
        self.dropout = nn.Dropout(0.1)

    def forward(self, x):
        hidden = F.gelu(F.linear(x, self.fc1.weight, self.fc1.bias))
        return F.linear(self.dropout(hidden), self.fc2.weight, self.fc2.bias)


class GPTBlock(nn.Module):
    def __init__(self, hidden_size, num_heads, intermediate_size, dropout=0.1):
        super().__init__()
        self.attn = CausalMultiHeadSelfAttention(hidden_size, num_heads)
        self.attn_layer_norm = nn.LayerNorm(hidden_size)
        self.ff = PositionwiseFeedForward(hidden_size, intermediate_size)
        self.ff_layer_norm = nn.LayerNorm(hidden_size)
        self.dropout = nn.Dropout(dropout)

    def sublayer(self, x, part, norm):
        return norm(torch.add(self.dropout(part(x)), x))

    def forward(self, hidden_states, attention_mask=None):
        x = self.sublayer(hidden_states, lambda h: self.attn(h, attention_mask=attention_mask), self.attn_layer_norm)
        return self.sublayer(x, self.ff, self.ff_layer_norm)
