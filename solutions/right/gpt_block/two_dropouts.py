import torch
import torch.nn as nn


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

    def forward(self, x):
        return self.fc2(torch.relu(self.fc1(x)))


class GPTBlock(nn.Module):
    def __init__(self, hidden_size: int, num_heads: int, intermediate_size: int) -> None:
        super().__init__()
        self.ff_layer_norm = nn.LayerNorm(hidden_size, eps=1e-12)
        self.attn_layer_norm = nn.LayerNorm(hidden_size, eps=1e-6)
        self.ff = PositionwiseFeedForward(hidden_size, intermediate_size)
        self.attn = CausalMultiHeadSelfAttention(hidden_size, num_heads)
        self.attn_dropout, self.ff_dropout = nn.Dropout(0.1), nn.Dropout(0.1)

    def forward(self, hidden_states: torch.Tensor, attention_mask: torch.Tensor | None = None) -> torch.Tensor:
        residual = hidden_states
        hidden_states = self.attn_dropout(self.attn(hidden_states, attention_mask))
        hidden_states = self.attn_layer_norm(residual + hidden_states)
        residual = hidden_states
        hidden_states = self.ff_dropout(self.ff(hidden_states))
        return self.ff_layer_norm(hidden_states + residual)
