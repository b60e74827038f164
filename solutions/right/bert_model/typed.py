from functools import reduce

import torch
import torch.nn as nn


class BertEmbeddings(nn.Module):
    def __init__(self, vocab_size, hidden_size, max_position_embeddings, type_vocab_size):
        super().__init__()
        self.word_embeddings = nn.Embedding(vocab_size, hidden_size)
        self.position_embeddings = nn.Embedding(max_position_embeddings, hidden_size)
        self.token_type_embeddings = nn.Embedding(type_vocab_size, hidden_size)
        self.LayerNorm = nn.LayerNorm(hidden_size, eps=1e-12)
        self.dropout = nn.Dropout(p=0.1)

    def forward(self, input_ids, token_type_ids=None):
        batch, length = input_ids.size()
        if token_type_ids is None:
            token_type_ids = torch.zeros_like(input_ids)
        places = (
            torch.arange(length, dtype=torch.long, device=input_ids.device).unsqueeze(0).expand(batch, length)
        )
        e = self.word_embeddings(input_ids) + self.position_embeddings(places)
        e = e + self.token_type_embeddings(token_type_ids)
        return self.dropout(self.LayerNorm(e))


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
        shape = (*hidden_states.shape[:2], self.num_heads, self.head_dim)
        q, k, v = (f(hidden_states).reshape(shape) for f in (self.query, self.key, self.value))
        scores = torch.einsum("bqhd,bkhd->bhqk", q * self.head_dim**-0.5, k)
        if attention_mask is not None:
            scores = scores + attention_mask
        return self.out(torch.einsum("bhqk,bkhd->bqhd", scores.softmax(-1), v).flatten(2))


class PositionwiseFeedForward(nn.Module):
    def __init__(self, hidden_size, intermediate_size):
        super().__init__()
        self.fc1 = nn.Linear(hidden_size, intermediate_size)
        self.activation = nn.GELU()
        self.fc2 = nn.Linear(intermediate_size, hidden_size)

    def forward(self, x):
        x = self.fc1(x)
        x = self.activation(x)
        return self.fc2(x)


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
    def __init__(self, num_layers: int, hidden_size: int, num_heads: int, intermediate_size: int) -> None:
        super().__init__()
        self.layers = nn.ModuleList(
            BertLayer(hidden_size=hidden_size, num_heads=num_heads, intermediate_size=intermediate_size)
            for _ in range(num_layers)
        )

    def forward(
        self, hidden_states: torch.Tensor, attention_mask: torch.Tensor | None = None
    ) -> torch.Tensor:
        return reduce(lambda x, layer: layer(x, attention_mask), self.layers, hidden_states)


class SimpleBertModel(nn.Module):
    def __init__(
        self,
        vocab_size: int = 30522,
        hidden_size: int = 128,
        num_heads: int = 4,
        num_layers: int = 4,
        intermediate_size: int = 256,
        max_position_embeddings: int = 512,
        type_vocab_size: int = 2,
    ) -> None:
        super().__init__()
        self.encoder = BertEncoder(num_layers, hidden_size, num_heads, intermediate_size)
        self.embeddings = BertEmbeddings(vocab_size, hidden_size, max_position_embeddings, type_vocab_size)

    @staticmethod
    def extend(mask: torch.Tensor | None, dtype: torch.dtype) -> torch.Tensor | None:
        if mask is None:
            return None
        return (1 - mask.to(dtype)).mul(-1e9)[:, None, None, :]

    def forward(
        self,
        input_ids: torch.Tensor,
        token_type_ids: torch.Tensor | None = None,
        attention_mask: torch.Tensor | None = None,
    ) -> torch.Tensor:
        x: torch.Tensor = self.embeddings(input_ids, token_type_ids)
        return self.encoder(x, self.extend(attention_mask, x.dtype))
