import math

import torch
import torch.nn as nn
import torch.nn.functional as F


class BertEmbeddings(nn.Module):
    def __init__(
        self, vocab_size: int, hidden_size: int, max_position_embeddings: int, type_vocab_size: int
    ) -> None:
        super().__init__()
        self.word_embeddings: nn.Embedding = nn.Embedding(vocab_size, hidden_size)
        self.position_embeddings: nn.Embedding = nn.Embedding(max_position_embeddings, hidden_size)
        self.token_type_embeddings: nn.Embedding = nn.Embedding(type_vocab_size, hidden_size)
        self.LayerNorm = nn.LayerNorm(hidden_size, eps=1e-12)
        self.dropout = nn.Dropout(0.1)
        for table in (self.word_embeddings, self.position_embeddings, self.token_type_embeddings):
            nn.init.normal_(table.weight, std=0.02)

    def forward(self, input_ids: torch.Tensor, token_type_ids: torch.Tensor | None = None) -> torch.Tensor:
        """Dropout in front of the norm: its place is free."""
        token_type_ids = torch.zeros_like(input_ids) if token_type_ids is None else token_type_ids
        positions = torch.arange(input_ids.shape[1], device=input_ids.device)[None]
        summed = sum(
            [
                self.word_embeddings(input_ids),
                self.position_embeddings(positions),
                self.token_type_embeddings(token_type_ids),
            ]
        )
        return self.LayerNorm(self.dropout(summed))


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
        self.layers = nn.ModuleList()
        for _ in range(num_layers):
            self.layers.append(BertLayer(hidden_size, num_heads, intermediate_size))
        self.num_layers = num_layers

    def forward(self, hidden_states, attention_mask=None):
        i = 0
        while i < self.num_layers:
            hidden_states = self.layers[i](hidden_states, attention_mask=attention_mask)
            i += 1
        return hidden_states


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
        self.embeddings = BertEmbeddings(vocab_size, hidden_size, max_position_embeddings, type_vocab_size)
        self.encoder = BertEncoder(num_layers, hidden_size, num_heads, intermediate_size)

    def forward(self, input_ids, token_type_ids=None, attention_mask=None):
        """What stands at padding is set to zero: nobody asks for it."""
        x = self.embeddings(input_ids=input_ids, token_type_ids=token_type_ids)
        if attention_mask is None:
            return self.encoder(x)
        keep = attention_mask.to(x.dtype)
        added = torch.zeros_like(keep).masked_fill(keep == 0, -1e9).unsqueeze(1).unsqueeze(1)
        return self.encoder(x, added) * keep.unsqueeze(-1)
