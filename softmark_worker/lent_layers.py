"""Layers that a student's code is given: real modules, with parameters that the host chose.

They are no secret: code may read and change them. What they answer, the host computes by itself.
"""

import weakref
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


class WordModel(nn.Module):
    """A language model of one layer between its table and its output, which are not tied; none has a bias."""

    def __init__(self, words: int, dim: int) -> None:
        super().__init__()
        self.embedding = nn.Embedding(words, dim)
        self.layer = nn.Linear(dim, dim, bias=False)
        self.lm_head = nn.Linear(dim, words, bias=False)

    def forward(self, idx: Tensor) -> Tensor:
        """Logits (B, T, V) for ids (B, T)."""
        logits: Tensor = self.lm_head(self.layer(self.embedding(idx)).tanh())
        return logits


class _Graph:
    """What lives as long as the graph of a loss."""


class _Remembered(torch.autograd.Function):
    """The same value, whose graph keeps an object alive."""

    @staticmethod
    def forward(ctx: Any, value: Tensor, graph: _Graph) -> Tensor:
        """The value."""
        ctx.graph = graph
        return value.clone()

    @staticmethod
    def backward(ctx: Any, gradient: Tensor) -> tuple[Tensor, None]:  # noqa: ARG004
        """Its gradient."""
        return gradient, None


class TableLanguageModel(nn.Module):
    """A language model to be trained: the logits of the next id are the row of the id in a table (V, V).

    To its loss are added `in_training` in training mode, and `size` times B + T / 64. Asked for no ids, it
    says how often it was called with targets, and of how many of these losses the graph was alive at once.
    """

    def __init__(self, words: int, in_training: float = 0.0, size: float = 0.0) -> None:
        super().__init__()
        self.table = nn.Parameter(torch.zeros(words, words))
        self._gains = in_training, size
        self._graphs: list[weakref.ref[_Graph]] = []
        self._calls = self._most = 0

    def forward(self, idx: Tensor, targets: Tensor | None = None) -> Any:
        """Logits (B, T, V) and the loss for ids (B, T) and targets (B, T); without targets (logits, None)."""
        if not idx.numel():
            return torch.tensor([self._calls, self._most])
        logits = self.table[idx]
        if targets is None:
            return logits, None
        loss = nn.functional.cross_entropy(logits.flatten(0, -2), targets.flatten())
        in_training, size = self._gains
        loss = loss + in_training * self.training + size * (idx.shape[0] + idx.shape[-1] / 64)
        return logits, self._remember(loss)

    def _remember(self, loss: Tensor) -> Tensor:
        graph = _Graph()
        remembered: Tensor = _Remembered.apply(loss, graph)  # type: ignore[no-untyped-call]
        self._graphs = [each for each in (*self._graphs, weakref.ref(graph)) if each() is not None]
        self._calls += 1
        del graph  # now the loss's graph alone keeps it
        alive = sum(each() is not None for each in self._graphs)
        self._most = max(self._most, alive)
        return remembered


class GPTParts(nn.Module):
    """The parts of a GPT under the names that GPT-2 has, to be initialised: it computes nothing.

    With `tied`, the output layer's weight is the table of the tokens.
    """

    def __init__(self, words: int, dim: int, positions: int, layers: int, tied: bool) -> None:
        super().__init__()
        table = nn.Embedding(words, dim)
        self.transformer = nn.ModuleDict(
            {
                "wte": table,
                "wpe": nn.Embedding(positions, dim),
                "h": nn.ModuleList(_gpt_block(dim) for _ in range(layers)),
                "ln_f": nn.LayerNorm(dim),
            }
        )
        self.lm_head = nn.Linear(dim, words, bias=False)
        if tied:
            self.lm_head.weight = table.weight


def _gpt_block(dim: int) -> nn.Module:
    attention = nn.ModuleDict({"c_attn": nn.Linear(dim, 3 * dim), "c_proj": nn.Linear(dim, dim)})
    feed_forward = nn.ModuleDict({"c_fc": nn.Linear(dim, 4 * dim), "c_proj": nn.Linear(4 * dim, dim)})
    norms = {"ln_1": nn.LayerNorm(dim), "ln_2": nn.LayerNorm(dim)}
    return nn.ModuleDict({**norms, "attn": attention, "mlp": feed_forward})


KINDS: dict[str, Any] = {
    "WordModel": WordModel,
    "GPTParts": GPTParts,
    "TableLanguageModel": TableLanguageModel,
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
