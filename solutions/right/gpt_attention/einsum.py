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
