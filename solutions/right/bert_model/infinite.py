import math

import torch
import torch.nn as nn
import torch.nn.functional as F


class BertEmbeddings(nn.Module):
    """After the library's: a padding word, and positions in a buffer."""

    def __init__(self, vocab_size, hidden_size, max_position_embeddings, type_vocab_size):
        super().__init__()
        self.word_embeddings = nn.Embedding(vocab_size, hidden_size, padding_idx=0)
        self.position_embeddings = nn.Embedding(max_position_embeddings, hidden_size)
        self.token_type_embeddings = nn.Embedding(type_vocab_size, hidden_size)
        self.LayerNorm = nn.LayerNorm(hidden_size, eps=1e-12)
        self.dropout = nn.Dropout(0.1)
        self.register_buffer(
            "position_ids", torch.arange(max_position_embeddings).expand((1, -1)), persistent=False
        )

    def forward(self, input_ids, token_type_ids=None):
        input_shape = input_ids.size()
        if token_type_ids is None:
            token_type_ids = torch.zeros(input_shape, dtype=torch.long, device=self.position_ids.device)
        embeddings = self.word_embeddings(input_ids) + self.token_type_embeddings(token_type_ids)
        embeddings += self.position_embeddings(self.position_ids[:, : input_shape[1]])
        return self.dropout(self.LayerNorm(embeddings))


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
        super(BertEncoder, self).__init__()
        sizes = (hidden_size, num_heads, intermediate_size)
        self.layers = nn.ModuleDict({str(n): BertLayer(*sizes) for n in range(num_layers)})

    def forward(self, hidden_states, attention_mask=None):
        for layer in self.layers.values():
            hidden_states = layer.forward(hidden_states, attention_mask)
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
        mask = None
        if attention_mask is not None:
            B, S = attention_mask.shape
            mask = torch.zeros(B, 1, S, S, dtype=self.embeddings.LayerNorm.weight.dtype)
            mask = mask.masked_fill((attention_mask == 0).view(B, 1, 1, S), float("-inf"))
        return self.encoder(self.embeddings(input_ids, token_type_ids), mask)
