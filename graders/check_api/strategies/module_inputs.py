"""Draws for modules: a configuration, an input and a mask, as Hypothesis strategies.

B batch, S sequence, E model width, H heads, V vocabulary.
"""

from dataclasses import dataclass, field, fields, replace
from typing import Any, ClassVar, Self

import torch
from hypothesis import strategies as st
from torch import Tensor

from graders.check_api.strategies.attention_masks import NEGATIVE, additive, allowed, padding
from graders.check_api.strategies.drawn import Drawn
from graders.check_api.strategies.tensors import (
    BATCH,
    FULL,
    hidden,
    ids,
    input_values,
    lengths,
    masks,
    normal,
    patterns,
    seeds,
    several,
    sizes,
)

MASKS = ("mask", "attention_mask", "memory_mask")  # the fields of draws that are masks
LONGEST = 6  # positions, where a check does not ask for more
MASKED = 3  # positions under a mask: one is hidden, and two are seen


@dataclass(frozen=True, eq=False)
class Given(Drawn):
    """A module's configuration and, as the fields of a subclass, the arguments of its forward, in order."""

    alive_at: ClassVar[tuple[int, ...]] = (0,)

    config: dict[str, Any]
    seed: int = field(default=0, metadata=hidden, kw_only=True)

    @property
    def dtype(self) -> torch.dtype:
        """The dtype in which everything is compared."""
        return next(
            (a.dtype for a in self.arguments if a is not None and a.is_floating_point()), torch.float32
        )

    @property
    def kept(self) -> Tensor | None:
        """The positions (B, S) whose outputs are compared, as bools; None for all."""
        return None

    @property
    def masked(self) -> bool:
        """Whether it has a mask."""
        return any(getattr(self, name, None) is not None for name in MASKS)

    def without_mask(self) -> Self:
        """The same draw without its mask."""
        no_masks: dict[str, Any] = {f.name: None for f in fields(self) if f.name in MASKS}
        return replace(self, **no_masks)


@dataclass(frozen=True, eq=False)
class Input(Given):
    """An input (B, S, E) of a module that takes no mask."""

    x: Tensor


@dataclass(frozen=True, eq=False)
class Model(Given):
    """An input (B, S, E) and a bool mask, True = masked, or no mask."""

    x: Tensor
    mask: Tensor | None = None


@dataclass(frozen=True, eq=False)
class States(Given):
    """Hidden states (B, S, E) and an attention mask in the exercise's convention, or no mask."""

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
        """All positions but padding."""
        return None if self.attention_mask is None else self.attention_mask.bool()


@dataclass(frozen=True, eq=False)
class Tokens(Given):
    """Ids (B, S) and a mask (B, 1, S, S) with 1 = allowed, or no mask."""

    input_ids: Tensor
    attention_mask: Tensor | None = None
    dtype: torch.dtype = field(default=torch.float32, kw_only=True)


@st.composite
def models(
    draw: st.DrawFn,
    /,
    masked: bool | None = False,
    least: int = 2,
    most: int = LONGEST,
    plain: bool = False,
    dtype: torch.dtype = torch.float32,
    scale: float = 1.0,
    narrowest: int = 2,
    corner: str = "",
    **widths: st.SearchStrategy[Any],
) -> Model:
    """A configuration with `embed_dim`, `num_heads` and the sizes in `widths`; an input, perhaps a mask.

    Lengths go from `least` to `most`; `narrowest` is the minimum width. A `plain` mask is (S, S). `corner`
    names the size that is 1: "length", "num_heads" or "embed_dim"; no other is.
    """
    least = max(least, MASKED) if masked else least
    count, width = draw(_heads(narrowest, corner, "embed_dim"))
    batch, length, seed = (
        draw(several(alone=corner == BATCH)),
        draw(lengths(least, most, corner)),
        draw(seeds()),
    )
    config = {"embed_dim": width, "num_heads": count, **{name: draw(w) for name, w in widths.items()}}
    mask = None
    if masked or (masked is None and draw(st.booleans())):
        mask = draw(masks(() if plain else (batch, count), length, length))
        mask = mask.expand(length, length).clone() if plain else mask
        if mask.dim() == 4 and mask.shape[1] == count > 1 and draw(st.booleans()):
            mask = mask[:, :1]
    x = input_values(batch, length, width, seed=seed, scale=scale, dtype=dtype)
    return Model(config, x, mask, seed=seed)


def modelled(
    config: dict[str, Any], batch: int, length: int, seed: int, mask: Tensor | None = None, scale: float = 1.0
) -> Model:
    """A draw of fixed sizes in float64: an input (B, S, `embed_dim`) from a seed, and a mask or None."""
    x = normal(batch, length, config["embed_dim"], seed=seed, scale=scale, dtype=torch.float64)
    return Model(config, x, mask, seed=seed)


@st.composite
def _heads(draw: st.DrawFn, narrowest: int, corner: str, width: str) -> tuple[int, int]:
    """A number of heads and the model's width, whose name is `width`."""
    if corner and corner == width:
        return 1, 1
    count = draw(several(4, alone=corner == "num_heads"))
    return count, count * draw(sizes(max(2, -(-narrowest // count)), max(4, narrowest)))


@dataclass(frozen=True)
class Indivisible:
    """A width that the number of heads does not divide."""

    width: int
    num_heads: int


@st.composite
def indivisible(draw: st.DrawFn) -> Indivisible:
    """At least two heads, and a width that is not a multiple of their number."""
    heads = draw(sizes(2, 6))
    return Indivisible(heads * draw(sizes(1, 4)) + draw(sizes(1, heads - 1)), heads)


@st.composite
def attended(
    draw: st.DrawFn,
    /,
    mask: str | None = None,
    least: int = 2,
    most: int = LONGEST,
    narrowest: int = 2,
    dtype: torch.dtype = torch.float32,
    scale: float = 1.0,
    corner: str = "",
    **widths: st.SearchStrategy[int],
) -> States:
    """A configuration with `hidden_size`, `num_heads` and `widths`; hidden states, perhaps a mask.

    Args:
        draw: passed by Hypothesis.
        mask: "additive" (broadcasts to (B, H, S, S), numbers added to the scores), "by_key" (the same, always
            (B, 1, 1, S)), "allowed" ((B, 1, S, S), 1 = allowed), or None for no mask.
        least: minimum length.
        most: maximum length.
        narrowest: minimum width.
        dtype: of the states and of an additive mask.
        scale: of the states.
        corner: the size that is 1: "length", "num_heads", "hidden_size" or one of `widths`; no other is.
        widths: further sizes of the configuration, by name.
    """
    least = max(least, MASKED) if mask else least
    count, width = draw(_heads(narrowest, corner, "hidden_size"))
    batch, length, seed = (
        draw(several(alone=corner == BATCH)),
        draw(lengths(least, most, corner)),
        draw(seeds()),
    )
    further = {name: 1 if corner == name else draw(w) for name, w in widths.items()}
    config = {"hidden_size": width, "num_heads": count, **further}
    states = input_values(batch, length, width, seed=seed, scale=scale, dtype=dtype)
    return States(config, states, draw(_attention_masks(mask, batch, count, length, dtype)), seed=seed)


@st.composite
def segmented(
    draw: st.DrawFn,
    /,
    padded: bool = False,
    segments: bool | None = None,
    least: int = 2,
    most: int = LONGEST,
    dtype: torch.dtype = torch.float32,
    heads: bool = False,
    corner: str = "",
    **widths: st.SearchStrategy[int],
) -> Segments:
    """A configuration of BERT's embeddings or of the whole model; ids, perhaps segments and a padding mask.

    It has `vocab_size`, `hidden_size`, `max_position_embeddings` and `type_vocab_size`.
    Id 0 is not drawn: an embedding with `padding_idx=0` is right too, but has no gradient at id 0.

    Args:
        draw: passed by Hypothesis.
        padded: whether there is a mask (B, S), 1 = kept, 0 = padding at the end.
        segments: whether there are segments: always (True), never (False) or sometimes (None).
        least: minimum length.
        most: maximum length.
        dtype: in which everything is compared.
        heads: whether the configuration has `num_heads` too, which then divide the width.
        corner: the size that is 1, "length", "num_heads" or one of `widths`; or "full", where there are as
            many positions as embeddings of them.
        widths: further sizes of the configuration, by name.
    """
    least = max(least, MASKED) if padded else least
    count, width = draw(_heads(4, corner, "")) if heads else (1, draw(sizes(4, 8)))
    batch, length, seed = (
        draw(several(alone=corner == BATCH)),
        draw(lengths(least, most, corner)),
        draw(seeds()),
    )
    config = {
        "vocab_size": draw(sizes(4, 12)),
        "hidden_size": width,
        "max_position_embeddings": length if corner == FULL else length + draw(sizes(1, 3)),
        "type_vocab_size": 1 if corner == "type_vocab_size" else draw(sizes(2, 3)),
        **({"num_heads": count} if heads else {}),
        **{name: 1 if corner == name else draw(w) for name, w in widths.items()},
    }
    words = 1 + ids(batch, length, vocabulary=config["vocab_size"] - 1, seed=seed)
    types = None
    if segments or (segments is None and draw(st.booleans())):
        types = ids(batch, length, vocabulary=config["type_vocab_size"], seed=seed + 1)
    mask = padding(batch, length, draw(patterns())) if padded else None
    return Segments(config, words, types, mask, dtype=dtype, seed=seed)


@st.composite
def _attention_masks(
    draw: st.DrawFn, kind: str | None, batch: int, count: int, length: int, dtype: torch.dtype
) -> Tensor | None:
    if kind is None:
        return None
    if kind == "allowed":
        return allowed(batch, length, draw(patterns())).to(
            draw(st.sampled_from([torch.int64, torch.float32]))
        )
    if kind == "by_key":
        mask = padding(batch, length, draw(patterns()))[:, None, None, :] == 0
    else:
        mask = draw(masks((batch, count), length, length))
    return additive(mask, draw(st.sampled_from(NEGATIVE)), dtype)


@st.composite
def worded(
    draw: st.DrawFn,
    /,
    masked: bool | None = False,
    least: int = 2,
    most: int = LONGEST,
    dtype: torch.dtype = torch.float32,
    heads: bool = False,
    corner: str = "",
    **widths: st.SearchStrategy[int],
) -> Tokens:
    """A configuration of GPT's embeddings or of the whole model; ids, and perhaps a mask (B, 1, S, S).

    The configuration has `vocab_size`, `hidden_size` and `max_position_embeddings`. Id 0 is not drawn: an
    embedding with `padding_idx=0` is right too, but has no gradient at id 0.

    Args:
        draw: passed by Hypothesis.
        masked: whether there is a mask with 1 = allowed: always (True), never (False) or sometimes (None).
        least: minimum length.
        most: maximum length.
        dtype: in which everything is compared.
        heads: whether the configuration has `num_heads` too, which then divide the width.
        corner: the size that is 1, "length", "num_heads" or one of `widths`; or "full", where there are as
            many positions as embeddings of them.
        widths: further sizes of the configuration, by name.
    """
    least = max(least, MASKED) if masked else least
    count, width = draw(_heads(4, corner, "")) if heads else (1, draw(sizes(4, 8)))
    batch, length, seed = (
        draw(several(alone=corner == BATCH)),
        draw(lengths(least, most, corner)),
        draw(seeds()),
    )
    config = {
        "vocab_size": draw(sizes(4, 12)),
        "hidden_size": width,
        "max_position_embeddings": length if corner == FULL else length + draw(sizes(1, 3)),
        **({"num_heads": count} if heads else {}),
        **{name: 1 if corner == name else draw(w) for name, w in widths.items()},
    }
    words = 1 + ids(batch, length, vocabulary=config["vocab_size"] - 1, seed=seed)
    mask = None
    if masked or (masked is None and draw(st.booleans())):
        mask = allowed(batch, length, draw(patterns()))
    return Tokens(config, words, mask, dtype=dtype, seed=seed)
