"""Layers that a student's code is given: real modules, with parameters that the host chose.

They are no secret: code may read and change them. What they answer, the host computes by itself.
"""

from collections.abc import Mapping
from typing import Any

import torch
from torch import Tensor, nn


class TanhLayer(nn.Module):
    """tanh(x @ weight.T), from E to E."""

    def __init__(self, dim: int) -> None:
        super().__init__()
        self.weight = nn.Parameter(torch.zeros(dim, dim))

    def forward(self, x: Tensor) -> Tensor:
        """(..., E) -> (..., E)."""
        return (x @ self.weight.T).tanh()


class ProjectedAttention(nn.Module):
    """Attention of several heads, with linear layers W_q, W_k, W_v and W_o that have a bias."""

    def __init__(self, embed_dim: int, num_heads: int) -> None:
        super().__init__()
        self.num_heads = num_heads
        self.W_q, self.W_k, self.W_v, self.W_o = (nn.Linear(embed_dim, embed_dim) for _ in range(4))

    def forward(self, x: Tensor, mask: Tensor | None = None) -> tuple[Tensor, Tensor]:
        """Output (B, S, E) and weights (B, H, S, S) for x (B, S, E); True in the mask = masked."""
        parts = (layer(x).unflatten(-1, (self.num_heads, -1)) for layer in (self.W_q, self.W_k, self.W_v))
        queries, keys, values = (part.transpose(1, 2) for part in parts)
        scores = queries @ keys.transpose(-2, -1) / queries.shape[-1] ** 0.5
        scores = scores if mask is None else scores.masked_fill(mask, -torch.inf)
        weights = scores.softmax(-1)
        return self.W_o((weights @ values).transpose(1, 2).flatten(2)), weights


class RecurrentLayer(nn.Module):
    """h_t = tanh(x_t @ weight_x.T + h_(t-1) @ weight_h.T), from E to E; without the tanh if it is linear."""

    def __init__(self, dim: int, linear: bool = False) -> None:
        super().__init__()
        self.linear = linear
        self.weight_x, self.weight_h = (nn.Parameter(torch.zeros(dim, dim)) for _ in range(2))

    def forward(self, x: Tensor) -> tuple[Tensor, Tensor]:
        """(B, S, E) -> the states after each position, (B, S, E), and the last of them, (B, E)."""
        states, state = [], torch.zeros_like(x[:, 0])
        for position in x.unbind(1):
            state = position @ self.weight_x.T + state @ self.weight_h.T
            state = state if self.linear else state.tanh()
            states.append(state)
        return torch.stack(states, 1), state


KINDS: dict[str, Any] = {
    "RecurrentLayer": RecurrentLayer,
    "TanhLayer": TanhLayer,
    "ProjectedAttention": ProjectedAttention,
    "MultiheadAttention": nn.MultiheadAttention,
}


def make_layer(kind: str, parameters: Mapping[str, Tensor], config: Mapping[str, Any]) -> nn.Module:
    """A layer of a kind, with these parameters and of their dtype, in evaluation mode."""
    layer: nn.Module = KINDS[kind](**config)
    dtype = next(iter(parameters.values())).dtype
    layer.to(dtype).load_state_dict(dict(parameters))
    return layer.eval()
