import torch
import torch.nn as nn
import torch.nn.functional as F


class GPTEmbeddings(nn.Module):
    def __init__(self, vocab_size, hidden_size, max_position_embeddings=512):
        super().__init__()
        self.word_embeddings = nn.Embedding(vocab_size, hidden_size)
        self.position_embeddings = nn.Embedding(max_position_embeddings, hidden_size)
        self.layer_norm = nn.LayerNorm(hidden_size, eps=1e-5)

    def forward(self, input_ids):
        words = F.embedding(input_ids, self.word_embeddings.weight)
        positions = F.embedding(torch.ones_like(input_ids).cumsum(1) - 1, self.position_embeddings.weight)
        normed = F.layer_norm(words + positions, words.shape[-1:], self.layer_norm.weight, self.layer_norm.bias)
        return F.dropout(normed, p=0.1, training=self.training)


class CausalMultiHeadSelfAttention(nn.Module):
    def __init__(self, hidden_size: int, num_heads: int) -> None:
        super().__init__()
        self.heads, remainder = num_heads, hidden_size % num_heads
        if remainder:
            raise ValueError(f"{hidden_size} % {num_heads} = {remainder}")
        self.query = nn.Linear(hidden_size, hidden_size)
        self.key = nn.Linear(hidden_size, hidden_size)
        self.value = nn.Linear(hidden_size, hidden_size)
        self.out = nn.Linear(hidden_size, hidden_size)

    def forward(self, hidden_states: torch.Tensor, attention_mask: torch.Tensor | None = None) -> torch.Tensor:
        b, s, e = hidden_states.shape
        q, k, v = (
            part(hidden_states).reshape(b, s, self.heads, e // self.heads) for part in (self.query, self.key, self.value)
        )
        scores = torch.einsum("bqhd,bkhd->bhqk", q * (e // self.heads) ** -0.5, k)
        rows, columns = torch.arange(s)[:, None], torch.arange(s)[None, :]
        hidden = columns > rows
        if attention_mask is not None:
            hidden = hidden | (attention_mask == 0)
        weights = scores.masked_fill(hidden, float("-inf")).softmax(dim=-1)
        return self.out(torch.einsum("bhqk,bkhd->bqhd", weights, v).reshape(b, s, e))


class PositionwiseFeedForward(nn.Module):
    def __init__(self, hidden_size, intermediate_size):
        super().__init__()
        self.fc1 = nn.Linear(hidden_size, intermediate_size)
        self.fc2 = nn.Linear(intermediate_size, hidden_size)
        self.activation = nn.GELU()

    def forward(self, x):
        return self.fc2(self.activation(self.fc1(x)))


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


class SimpleGPTModel(nn.Module):
    def __init__(
        self, vocab_size=30522, hidden_size=128, num_heads=4, num_layers=4, intermediate_size=256, max_position_embeddings=512
    ):
        super().__init__()
        self.embeddings = GPTEmbeddings(vocab_size, hidden_size, max_position_embeddings)
        self.blocks = nn.ModuleList([GPTBlock(hidden_size, num_heads, intermediate_size) for _ in range(num_layers)])
        self.lm_head = nn.Linear(hidden_size, vocab_size, bias=False)

    def forward(self, input_ids, attention_mask=None):
        states = [self.embeddings(input_ids)]
        for block in self.blocks:
            states.append(block(states[-1], attention_mask))
        return self.lm_head(states[-1]), states
