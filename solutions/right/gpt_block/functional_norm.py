import math

import torch
import torch.nn as nn
import torch.nn.functional as F


class CausalMultiHeadSelfAttention(nn.Module):
    def __init__(self, hidden_size, num_heads):
        super().__init__()
        assert hidden_size % num_heads == 0
        self.num_heads = num_heads
        self.query = nn.Linear(hidden_size, hidden_size)
        self.key = nn.Linear(hidden_size, hidden_size)
        self.value = nn.Linear(hidden_size, hidden_size)
        self.out = nn.Linear(hidden_size, hidden_size)

    def forward(self, hidden_states, attention_mask=None):
        allowed = torch.tril(torch.ones(hidden_states.size(1), hidden_states.size(1))) == 1
        if attention_mask is not None:
            allowed = torch.logical_and(allowed, attention_mask[:, 0] == 1)
        found = []
        for q, k, v in zip(*(layer(hidden_states).chunk(self.num_heads, dim=-1) for layer in (self.query, self.key, self.value))):
            scores = torch.bmm(q, k.transpose(1, 2)) / math.sqrt(q.shape[-1])
            scores = torch.where(allowed, scores, torch.full_like(scores, -torch.inf))
            found.append(torch.bmm(torch.softmax(scores, -1), v))
        return self.out(torch.cat(found, dim=-1))


def gelu(x):
    return 0.5 * x * (1 + torch.erf(x / math.sqrt(2)))


class PositionwiseFeedForward(nn.Module):
    def __init__(self, hidden_size, intermediate_size):
        super().__init__()
        self.fc1 = nn.Linear(hidden_size, intermediate_size, bias=True)
        self.fc2 = nn.Linear(intermediate_size, hidden_size, bias=True)

    def forward(self, x):
        hidden = gelu(torch.einsum("bse,fe->bsf", x, self.fc1.weight) + self.fc1.bias)
        return torch.einsum("bsf,ef->bse", hidden, self.fc2.weight) + self.fc2.bias


class GPTBlock(nn.Module):
    def __init__(self, hidden_size, num_heads, intermediate_size):
        super().__init__()
        parts = {
            "attn": CausalMultiHeadSelfAttention(hidden_size, num_heads),
            "attn_layer_norm": nn.LayerNorm(hidden_size),
            "ff": PositionwiseFeedForward(hidden_size, intermediate_size),
            "ff_layer_norm": nn.LayerNorm(hidden_size),
            "drop": nn.Dropout(0.1),
        }
        for name, part in parts.items():
            setattr(self, name, part)

    def forward(self, x, attention_mask=None):
        for part, norm, more in ((self.attn, self.attn_layer_norm, (attention_mask,)), (self.ff, self.ff_layer_norm, ())):
            x = F.layer_norm(x + self.drop(part(x, *more)), (x.shape[-1],), norm.weight, norm.bias, norm.eps)
        return x
