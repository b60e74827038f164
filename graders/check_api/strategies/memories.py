"""Draws for modules that look at a memory, the output of an encoder.

B batch, Sq positions of the input, Sk positions of the memory, which are never as many, E model width.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, ClassVar

import torch
from hypothesis import strategies as st
from torch import Tensor

from graders.check_api.strategies.fed import Row
from graders.check_api.strategies.module_inputs import LONGEST, MASKED, Given
from graders.check_api.strategies.tensors import (
    BATCH,
    input_values,
    lengths,
    masks,
    seeds,
    several,
    sizes,
    units,
)


@dataclass(frozen=True, eq=False)
class Crossed(Given):
    """An input (B, Sq, E), a memory (B, Sk, Ek), and a bool mask on the memory, True = masked, or no mask."""

    alive_at: ClassVar[tuple[int, ...]] = (1,)

    x: Tensor
    memory: Tensor
    mask: Tensor | None = None

    @property
    def shape_of_weights(self) -> tuple[int, ...]:
        """(B, H, Sq, Sk)."""
        return self.x.shape[0], self.config["num_heads"], self.x.shape[1], self.memory.shape[1]


@dataclass(frozen=True, eq=False)
class Decoded(Given):
    """An input (B, Sq, E), a memory (B, Sk, E), and bool masks on either, True = masked, or none."""

    x: Tensor
    memory: Tensor
    mask: Tensor | None = None
    memory_mask: Tensor | None = None


@st.composite
def crossed(
    draw: st.DrawFn,
    masked: bool = False,
    least: int = 2,
    most: int = LONGEST,
    dtype: torch.dtype = torch.float32,
    corner: str = "",
) -> Crossed:
    """A configuration with `embed_dim`, `num_heads` and another `kv_dim`; an input, a memory, perhaps a mask.

    Lengths go from `least` to `most`, and the memory's to one more. `corner` names the size that is 1:
    "batch", "length", "memory" (its length) or one of the configuration.
    """
    least = max(least, MASKED) if masked else least
    count = draw(several(4, alone=corner in ("num_heads", "embed_dim")))
    width = 1 if corner == "embed_dim" else count * draw(sizes())
    other = 1 if corner == "kv_dim" else draw(sizes(2, 9))
    config = {"embed_dim": width, "num_heads": count, "kv_dim": other + (other == width)}
    batch, (queries, keys) = draw(several(alone=corner == BATCH)), draw(_lengths(least, most, corner))
    seed = draw(seeds())
    x = states(batch, queries, width, seed, dtype)
    memory = states(batch, keys, config["kv_dim"], seed + 1, dtype)
    mask = draw(masks((batch, count), queries, keys)) if masked else None
    return Crossed(config, x, memory, mask, seed=seed)


@st.composite
def decoded(
    draw: st.DrawFn,
    /,
    masked: bool = False,
    least: int = 2,
    most: int = LONGEST,
    dtype: torch.dtype = torch.float32,
    scale: float = 1.0,
    corner: str = "",
    **config: int,
) -> Decoded:
    """A configuration with `embed_dim`, `num_heads` and `ff_dim`; an input and a memory, perhaps both masks.

    The width is at least 4: over one feature a norm gives a constant, over two only signs. Lengths and
    `corner` are as in `crossed`. There is no dropout: where it acts at the wrong
    time, the check that is about it says so. `config` has further arguments of the constructor.
    """
    least = max(least, MASKED) if masked else least
    count = draw(several(4, alone=corner == "num_heads"))
    width = count * draw(sizes(max(2, -(-4 // count)), 4))
    given: dict[str, Any] = {"embed_dim": width, "num_heads": count, "ff_dim": draw(units())}
    given |= {"dropout": 0.0, **config}
    batch, seed = draw(several(alone=corner == BATCH)), draw(seeds())
    queries, keys = draw(_lengths(least, most, corner))
    x, memory = (states(batch, n, width, seed + n, dtype, scale) for n in (queries, keys))
    if not masked:
        return Decoded(given, x, memory, seed=seed)
    mask, memory_mask = (draw(masks((batch, count), queries, n)) for n in (queries, keys))
    return Decoded(given, x, memory, mask, memory_mask, seed=seed)


def fixed_memories(
    kind: Callable[..., Given], usual: dict[str, Any], *rows: Row
) -> Callable[[int], list[Any]]:
    """As `fixed`, with a memory that is longer by one, or as long where B is as large as Sq."""

    def make_draw(row: Row, seed: int) -> Given:
        config = {**usual, **(row.config or {})}
        width, keys = config["embed_dim"], row.length + (row.length != row.batch)
        x = states(row.batch, row.length, width, seed)
        return kind(config, x, states(row.batch, keys, config.get("kv_dim", width), seed + 1), seed=seed)

    return lambda seed: [make_draw(row, seed + n) for n, row in enumerate(rows)]


@st.composite
def _lengths(draw: st.DrawFn, least: int, most: int, corner: str) -> tuple[int, int]:
    """A number of queries and another of keys."""
    queries = draw(lengths(least, most, corner))
    keys = 1 if corner == "memory" else draw(sizes(least, most))
    return queries, keys + (keys == queries)


def states(
    batch: int, length: int, width: int, seed: int, dtype: torch.dtype = torch.float64, scale: float = 1.0
) -> Tensor:
    """States (B, S, E) from a seed."""
    return input_values(batch, length, width, seed=seed, scale=scale, dtype=dtype)
