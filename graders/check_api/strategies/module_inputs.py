"""Draws for modules: a configuration, an input and a mask, as Hypothesis strategies.

B batch, S sequence, E model width, H heads, V vocabulary.
"""

from dataclasses import dataclass, field, fields
from typing import Any

import torch
from hypothesis import strategies as st
from torch import Tensor

from graders.check_api.strategies.tensors import hidden, masks, normal, seeds, sizes

NEGATIVE = (-1e9, -1e4)  # what an additive mask holds where a key is masked


@dataclass(frozen=True, eq=False)
class Given:
    """A module to be built from `config`; the fields of a subclass are what its forward gets, in order."""

    config: dict[str, Any]
    seed: int = field(default=0, metadata=hidden, kw_only=True)

    @property
    def arguments(self) -> list[Any]:
        """What a call gets: nothing in the place of what is missing at the end."""
        values = [getattr(self, f.name) for f in fields(self) if f.name not in ("config", "seed", "dtype")]
        while values and values[-1] is None:
            values.pop()
        return values

    @property
    def dtype(self) -> torch.dtype:
        """The precision of the whole comparison."""
        return next(
            (a.dtype for a in self.arguments if a is not None and a.is_floating_point()), torch.float32
        )

    @property
    def kept(self) -> Tensor | None:
        """The positions (B, S) whose outputs count; None for all."""
        return None


@dataclass(frozen=True, eq=False)
class Model(Given):
    """An input (B, S, E) and a bool mask, True = masked, or none."""

    x: Tensor
    mask: Tensor | None = None


@dataclass(frozen=True, eq=False)
class States(Given):
    """Hidden states (B, S, E) and an attention mask of the exercise's convention, or none."""

    hidden_states: Tensor
    attention_mask: Tensor | None = None


@dataclass(frozen=True, eq=False)
class Segments(Given):
    """Ids (B, S), segments (B, S) and a mask (B, S) with 1 = kept; the last two may be missing."""

    input_ids: Tensor
    token_type_ids: Tensor | None = None
    attention_mask: Tensor | None = None
    dtype: torch.dtype = field(default=torch.float32, kw_only=True)

    @property
    def kept(self) -> Tensor | None:
        """All but padding."""
        return None if self.attention_mask is None else self.attention_mask.bool()


@dataclass(frozen=True, eq=False)
class Tokens(Given):
    """Ids (B, S) and a mask (B, 1, S, S) with 1 = allowed, or none."""

    input_ids: Tensor
    attention_mask: Tensor | None = None
    dtype: torch.dtype = field(default=torch.float32, kw_only=True)


@st.composite
def models(
    draw: st.DrawFn,
    masked: bool | None = False,
    least: int = 1,
    dtypes: tuple[torch.dtype, ...] = (torch.float32,),
    widths: tuple[str, ...] = (),
    scale: float = 1.0,
    narrowest: int = 1,
) -> Model:
    """A configuration `embed_dim`, `num_heads`, the further `widths`, an input, and perhaps a mask.

    `least` bounds the length from below, `narrowest` the width.
    """
    count = draw(sizes())
    width = count * draw(sizes(-(-narrowest // count), max(4, narrowest)))
    batch, length, seed = draw(sizes(1, 3)), draw(sizes(least, 6)), draw(seeds())
    config = {"embed_dim": width, "num_heads": count, **{name: draw(sizes(1, 12)) for name in widths}}
    mask = None
    if masked or (masked is None and draw(st.booleans())):
        mask = draw(masks((batch, count), length, length))
        if mask.dim() == 4 and mask.shape[1] == count > 1 and draw(st.booleans()):
            mask = mask[:, :1]
    x = normal(batch, length, width, seed=seed, scale=scale, dtype=draw(st.sampled_from(dtypes)))
    return Model(config, x, mask, seed=seed)


def modelled(
    config: dict[str, Any], batch: int, length: int, seed: int, mask: Tensor | None = None, scale: float = 1.0
) -> Model:
    """A draw of fixed sizes in float64: an input (B, S, `embed_dim`) of a seed, under a mask or none."""
    x = normal(batch, length, config["embed_dim"], seed=seed, scale=scale, dtype=torch.float64)
    return Model(config, x, mask, seed=seed)


@dataclass(frozen=True)
class Indivisible:
    """A width that the number of heads does not divide."""

    width: int
    num_heads: int


@st.composite
def indivisible(draw: st.DrawFn) -> Indivisible:
    """At least two heads, and a width that is no multiple of them."""
    heads = draw(sizes(2, 6))
    return Indivisible(heads * draw(sizes(1, 4)) + draw(sizes(1, heads - 1)), heads)


def ids(*shape: int, vocabulary: int, seed: int) -> Tensor:
    """Whole numbers below `vocabulary`, of a seed."""
    return torch.randint(vocabulary, shape, generator=torch.Generator().manual_seed(seed))


def additive(mask: Tensor, value: float = NEGATIVE[0], dtype: torch.dtype = torch.float32) -> Tensor:
    """A bool mask, True = masked, as numbers to be added to scores."""
    return torch.zeros(mask.shape, dtype=dtype).masked_fill(mask, value)


def padding(batch: int, length: int, seed: int) -> Tensor:
    """(B, S) of 1 = kept and 0 = padding at the end; the first position is always kept."""
    kept = 1 + ids(batch, 1, vocabulary=length, seed=seed)
    return (torch.arange(length) < kept).long()


def allowed(batch: int, length: int, seed: int) -> Tensor:
    """(B, 1, S, S) of 1 = allowed, at least on the diagonal, and 0."""
    chance = normal(batch, 1, length, length, seed=seed) > 0
    return (chance | torch.eye(length, dtype=torch.bool)).long()


def hiding(batch: int, length: int, seed: int) -> Tensor:
    """(B, 1, S, S), True = masked: each row hides a key and shows one: read either way, it gives numbers."""
    following = torch.eye(length, dtype=torch.bool).roll(1, 1)
    return (allowed(batch, length, seed) == 0) | following


def almost_causal(length: int) -> Tensor:
    """(S, S), True = masked: the future, and from the last position the second key: each row hides one."""
    mask = torch.ones(length, length, dtype=torch.bool).triu(1)
    mask[-1, 1] = True
    return mask


@st.composite
def attended(
    draw: st.DrawFn,
    /,
    mask: str | None = None,
    least: int = 1,
    narrowest: int = 1,
    dtype: torch.dtype = torch.float32,
    scale: float = 1.0,
    **widths: st.SearchStrategy[int],
) -> States:
    """A configuration `hidden_size`, `num_heads` and further `widths`, hidden states, perhaps a mask.

    Args:
        draw: Hypothesis'.
        mask: "additive" (broadcasts to (B, H, S, S), numbers added to the scores), "allowed" ((B, 1, S, S),
            1 = allowed), or none.
        least: bounds the length from below.
        narrowest: bounds the width from below.
        dtype: of the states and of an additive mask.
        scale: of the states.
        widths: further sizes of the configuration, by name.
    """
    count = draw(sizes())
    width = count * draw(sizes(-(-narrowest // count), max(4, narrowest)))
    batch, length, seed = draw(sizes(1, 3)), draw(sizes(least, 6)), draw(seeds())
    config = {"hidden_size": width, "num_heads": count, **{name: draw(w) for name, w in widths.items()}}
    states = normal(batch, length, width, seed=seed, scale=scale, dtype=dtype)
    return States(config, states, draw(_attention_masks(mask, batch, count, length, dtype)), seed=seed)


@st.composite
def segmented(
    draw: st.DrawFn,
    /,
    padded: bool = False,
    segments: bool | None = None,
    least: int = 1,
    dtype: torch.dtype = torch.float32,
    heads: bool = False,
    **widths: st.SearchStrategy[int],
) -> Segments:
    """`vocab_size`, `hidden_size`, `max_position_embeddings`, `type_vocab_size`, ids and perhaps segments.

    Id 0 is not drawn: an embedding whose `padding_idx` it is learns nothing there, and is right all the same.

    Args:
        draw: Hypothesis'.
        padded: whether there is a mask (B, S), 1 = kept, 0 = padding at the end.
        segments: always (True), never, or at times.
        least: bounds the length from below.
        dtype: of the whole comparison.
        heads: whether the configuration has `num_heads` too, which divide the width.
        widths: further sizes of the configuration, by name.
    """
    count = draw(sizes()) if heads else 1
    width = count * draw(sizes(-(-4 // count), 4 if heads else 8))
    batch, length, seed = draw(sizes(1, 3)), draw(sizes(least, 6)), draw(seeds())
    config = {
        "vocab_size": draw(sizes(2, 12)),
        "hidden_size": width,
        "max_position_embeddings": length + draw(sizes(0, 3)),
        "type_vocab_size": draw(sizes(1, 3)),
        **({"num_heads": count} if heads else {}),
        **{name: draw(w) for name, w in widths.items()},
    }
    words = 1 + ids(batch, length, vocabulary=config["vocab_size"] - 1, seed=seed)
    types = None
    if segments or (segments is None and draw(st.booleans())):
        types = ids(batch, length, vocabulary=config["type_vocab_size"], seed=seed + 1)
    mask = padding(batch, length, draw(seeds())) if padded else None
    return Segments(config, words, types, mask, dtype=dtype, seed=seed)


@st.composite
def _attention_masks(
    draw: st.DrawFn, kind: str | None, batch: int, count: int, length: int, dtype: torch.dtype
) -> Tensor | None:
    if kind is None:
        return None
    if kind == "allowed":
        return allowed(batch, length, draw(seeds())).to(draw(st.sampled_from([torch.int64, torch.float32])))
    mask = draw(masks((batch, count), length, length))
    return additive(mask, draw(st.sampled_from(NEGATIVE)), dtype)


@st.composite
def worded(
    draw: st.DrawFn,
    /,
    masked: bool | None = False,
    least: int = 1,
    dtype: torch.dtype = torch.float32,
    heads: bool = False,
    **widths: st.SearchStrategy[int],
) -> Tokens:
    """`vocab_size`, `hidden_size`, `max_position_embeddings`, ids and perhaps a mask (B, 1, S, S).

    Id 0 is not drawn: an embedding whose `padding_idx` it is learns nothing there, and is right all the same.

    Args:
        draw: Hypothesis'.
        masked: whether there is a mask with 1 = allowed: always (True), never, or at times.
        least: bounds the length from below.
        dtype: of the whole comparison.
        heads: whether the configuration has `num_heads` too, which divide the width.
        widths: further sizes of the configuration, by name.
    """
    count = draw(sizes()) if heads else 1
    width = count * draw(sizes(-(-4 // count), 4 if heads else 8))
    batch, length, seed = draw(sizes(1, 3)), draw(sizes(least, 6)), draw(seeds())
    config = {
        "vocab_size": draw(sizes(3, 12)),
        "hidden_size": width,
        "max_position_embeddings": length + draw(sizes(0, 3)),
        **({"num_heads": count} if heads else {}),
        **{name: draw(w) for name, w in widths.items()},
    }
    words = 1 + ids(batch, length, vocabulary=config["vocab_size"] - 1, seed=seed)
    mask = None
    if masked or (masked is None and draw(st.booleans())):
        mask = allowed(batch, length, draw(seeds()))
    return Tokens(config, words, mask, dtype=dtype, seed=seed)
