import torch
import torch.nn as nn
import torch.nn.functional as F


class LayerNorm(nn.Module):
    def __init__(self, width, eps=1e-12):
        super().__init__()
        self.weight = nn.Parameter(torch.ones(width))
        self.bias = nn.Parameter(torch.zeros(width))
        self.eps = eps

    def forward(self, x):
        mean = x.mean(dim=-1, keepdim=True)
        std = x.var(dim=-1, keepdim=True, unbiased=False).add(self.eps).sqrt()
        return self.weight * ((x - mean) / std) + self.bias


class BertEmbeddings(nn.Module):
    def __init__(self, vocab_size, hidden_size, max_position_embeddings, type_vocab_size):
        super(BertEmbeddings, self).__init__()
        self.word_embeddings = nn.Embedding(vocab_size, hidden_size)
        self.position_embeddings = nn.Embedding(max_position_embeddings, hidden_size)
        self.token_type_embeddings = nn.Embedding(type_vocab_size, hidden_size)
        self.LayerNorm = LayerNorm(hidden_size)
        self.dropout = nn.Dropout(0.1)

    def forward(self, input_ids, token_type_ids=None):
        B, S = input_ids.shape
        rows = []
        for place in range(S):
            word = self.word_embeddings(input_ids[:, place])
            kind = torch.zeros(B, dtype=torch.long) if token_type_ids is None else token_type_ids[:, place]
            rows.append(word + self.position_embeddings.weight[place] + self.token_type_embeddings(kind))
        return self.dropout(self.LayerNorm(torch.stack(rows, dim=1)))


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

    def split(self, x: torch.Tensor) -> torch.Tensor:
        return x.view(x.size(0), -1, self.num_heads, self.head_dim).permute(0, 2, 1, 3)

    def forward(
        self, hidden_states: torch.Tensor, attention_mask: torch.Tensor | None = None
    ) -> torch.Tensor:
        q, k, v = (
            self.split(self.query(hidden_states)),
            self.split(self.key(hidden_states)),
            self.split(self.value(hidden_states)),
        )
        s = (q / self.head_dim**0.25) @ (k / self.head_dim**0.25).transpose(2, 3)
        s = s if attention_mask is None else s + attention_mask
        e = torch.exp(s - s.max(dim=-1, keepdim=True).values)
        x = (e / e.sum(-1, keepdim=True)) @ v
        return self.out(x.permute(0, 2, 1, 3).reshape(hidden_states.shape))


class PositionwiseFeedForward(nn.Sequential):
    def __init__(self, hidden_size: int, intermediate_size: int) -> None:
        super().__init__()
        self.add_module("fc1", nn.Linear(hidden_size, intermediate_size))
        self.add_module("gelu", nn.GELU())
        self.add_module("fc2", nn.Linear(intermediate_size, hidden_size))


class BertLayer(nn.Module):
    def __init__(self, hidden_size: int, num_heads: int, intermediate_size: int) -> None:
        super().__init__()
        self.ff_layer_norm = nn.LayerNorm(hidden_size, eps=1e-12)
        self.ff = PositionwiseFeedForward(hidden_size, intermediate_size)
        self.attention_layer_norm = nn.LayerNorm(hidden_size, eps=1e-12)
        self.attention = MultiHeadSelfAttention(hidden_size, num_heads)
        self.dropout = nn.Dropout(p=0.1)

    def forward(
        self, hidden_states: torch.Tensor, attention_mask: torch.Tensor | None = None
    ) -> torch.Tensor:
        x = hidden_states
        for norm, part in (
            (self.attention_layer_norm, lambda y: self.attention(y, attention_mask)),
            (self.ff_layer_norm, self.ff),
        ):
            x = F.layer_norm(x + self.dropout(part(x)), (x.size(-1),), norm.weight, norm.bias, norm.eps)
        return x


class BertEncoder(nn.Module):
    def __init__(self, num_layers, hidden_size, num_heads, intermediate_size):
        super().__init__()
        self.layers = nn.ModuleList(
            [BertLayer(hidden_size, num_heads, intermediate_size) for _ in range(num_layers)]
        )

    def forward(self, hidden_states, attention_mask=None):
        for layer in self.layers:
            hidden_states = layer(hidden_states, attention_mask)
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
        if token_type_ids is None:
            token_type_ids = torch.zeros_like(input_ids)
        x = self.embeddings(input_ids, token_type_ids)
        if attention_mask is None:
            return self.encoder(x)
        return self.encoder(x, (attention_mask.to(x.dtype)[:, None, None] - 1) * 10_000)
