import math

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

    def forward(self, hidden_states, attention_mask=None):
        """What is far below zero is masked: filled, not added."""
        q, k, v = (
            torch.stack(f(hidden_states).chunk(self.num_heads, -1), 1)
            for f in (self.query, self.key, self.value)
        )
        scores = q @ k.mT * (1 / self.head_dim**0.5)
        if attention_mask is not None:
            scores = scores.masked_fill(attention_mask < -1000, float("-inf"))
        return self.out(torch.cat((scores.softmax(-1) @ v).unbind(1), -1))


def gelu(x):
    return 0.5 * x * (1 + torch.erf(x / math.sqrt(2)))


class PositionwiseFeedForward(nn.Module):
    def __init__(self, hidden_size, intermediate_size):
        super().__init__()
        self.fc1, self.fc2 = (
            nn.Linear(hidden_size, intermediate_size),
            nn.Linear(intermediate_size, hidden_size),
        )

    def forward(self, x):
        return self.fc2(gelu(self.fc1(x)))


class Norm(nn.Module):
    def __init__(self, width, eps=1e-6):
        super().__init__()
        self.weight = nn.Parameter(torch.ones(width))
        self.bias = nn.Parameter(torch.zeros(width))
        self.eps = eps

    def forward(self, x):
        x = x - x.mean(-1, keepdim=True)
        return x * torch.rsqrt(x.pow(2).mean(-1, keepdim=True) + self.eps) * self.weight + self.bias


class BertLayer(nn.Module):
    def __init__(self, hidden_size, num_heads, intermediate_size):
        super().__init__()
        self.attention = MultiHeadSelfAttention(hidden_size, num_heads)
        self.attention_layer_norm = Norm(hidden_size)
        self.ff = PositionwiseFeedForward(hidden_size, intermediate_size)
        self.ff_layer_norm = Norm(hidden_size)
        self.dropout1 = nn.Dropout(0.1)
        self.dropout2 = nn.Dropout(0.1)

    def forward(self, hidden_states, attention_mask=None):
        residual = hidden_states
        x = self.dropout1(self.attention(hidden_states, attention_mask))
        x = residual = self.attention_layer_norm(x + residual)
        x = self.dropout2(self.ff(x))
        return self.ff_layer_norm(x + residual)


class SimpleBertModel(nn.Module):
    def __init__(
        self,
        vocab_size=30522,
        hidden_size=128,
        num_heads=4,
        num_layers=4,
        intermediate_size=256,
        max_position_embeddings=512,
        type_vocab_size=2,
    ):
        super().__init__()
        self.tok_emb = nn.Embedding(vocab_size, hidden_size)
        self.pos_emb = nn.Embedding(max_position_embeddings, hidden_size)
        self.seg_emb = nn.Embedding(type_vocab_size, hidden_size)
        self.norm = nn.LayerNorm(hidden_size, eps=1e-12)
        self.drop = nn.Dropout(0.1)
        self.blocks = nn.ModuleList(
            [BertLayer(hidden_size, num_heads, intermediate_size) for _ in range(num_layers)]
        )

    def forward(self, input_ids, token_type_ids=None, attention_mask=None):
        if token_type_ids is None:
            token_type_ids = torch.zeros_like(input_ids)
        x = (
            self.tok_emb(input_ids)
            + self.pos_emb(torch.arange(input_ids.size(1)))
            + self.seg_emb(token_type_ids)
        )
        x = self.drop(self.norm(x))
        added = None if attention_mask is None else (attention_mask == 0)[:, None, None].to(x.dtype) * -1e9
        for block in self.blocks:
            x = block(x, added)
        return x
