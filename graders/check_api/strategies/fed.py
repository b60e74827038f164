"""Draws for modules without heads: sizes by name, and states (B, S, E) as their input.

networks = fed(States, hidden_size=sizes(2, 6), intermediate_size=units())
networks(corner="hidden_size", dtype=torch.float64)
"""

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Any

import torch
from hypothesis import strategies as st
from torch import Tensor

from graders.check_api.strategies.module_inputs import LONGEST, Given, Model
from graders.check_api.strategies.tensors import (
    BATCH,
    FULL,
    ids,
    input_values,
    lengths,
    normal,
    seeds,
    several,
)

# A size, a strategy for it, or a function of the number of positions that gives such a strategy.
Kind = Callable[..., Given]
Size = float | st.SearchStrategy[Any] | Callable[[int], st.SearchStrategy[Any]]


def fed(kind: Kind = Model, width: str = "", **config: Size) -> Callable[..., st.SearchStrategy[Any]]:
    """Strategies of a configuration and an input (B, S, E), for `ModuleChecks`.

    Args:
        kind: of the draws, whose first argument is the input.
        width: the name of E in the configuration, by default the first.
        config: the sizes by name; a number stands for itself.

    Returns:
        a function of `least` and `most`, the numbers of positions; of `dtype` and of `scale`; and of
        `corner`, what is 1: "batch", "length" or one of `config`; nothing else is. With "full", sizes that
        depend on the length are the length.
    """
    return partial(_fed, kind, width or next(iter(config)), config)


@st.composite
def _fed(
    draw: st.DrawFn,
    kind: Kind,
    width: str,
    config: dict[str, Size],
    least: int = 2,
    most: int = LONGEST,
    dtype: torch.dtype = torch.float32,
    scale: float = 1.0,
    corner: str = "",
) -> Given:
    batch, length = draw(several(alone=corner == BATCH)), draw(lengths(least, most, corner))
    seed = draw(seeds())
    sizes = {name: length if corner == FULL and callable(size) else size for name, size in config.items()}
    sizes |= {corner: 1} if corner in config else {}
    drawn = {name: _draw_size(draw, size, length) for name, size in sizes.items()}
    x = input_values(batch, length, drawn[width], seed=seed, scale=scale, dtype=dtype)
    return kind(drawn, x, seed=seed)


def _draw_size(draw: st.DrawFn, size: Size, length: int) -> Any:
    if isinstance(size, st.SearchStrategy):
        return draw(size)
    return draw(size(length)) if callable(size) else size


@dataclass(frozen=True)
class Row:
    """A diagnostic draw of fixed sizes.

    Attributes:
        batch: B.
        length: S.
        config: the sizes that differ from the usual ones; the others are these. One that is None is left out.
        mask: makes the mask from B, S and a seed.
        scale: of the input.
    """

    batch: int
    length: int
    config: dict[str, Any] | None = None
    mask: Callable[[int, int, int], Tensor] | None = None
    scale: float = 1.0


def fixed(kind: Kind, width: str, usual: dict[str, Any], *rows: Row) -> Callable[[int], list[Any]]:
    """`diagnostic_draws` of fixed sizes, in float64; each has a seed of its own.

    Args:
        kind: of the draws, whose first argument is the input (B, S, E) and whose second may be a mask.
        width: the name of E in the configuration.
        usual: the configuration; the rows say where it is another.
        rows: one for each draw.
    """

    def make_draw(row: Row, seed: int) -> Given:
        config = _choose(usual, row)
        x = normal(row.batch, row.length, config[width], seed=seed, scale=row.scale, dtype=torch.float64)
        return kind(config, x, *_masks(row, seed), seed=seed)

    return lambda seed: [make_draw(row, seed + n) for n, row in enumerate(rows)]


def fixed_ids(kind: Kind, usual: dict[str, Any], *rows: Row) -> Callable[[int], list[Any]]:
    """`diagnostic_draws` of fixed sizes, with ids (B, S) from 1 to `vocab_size` - 1; compared in float64.

    Args:
        kind: of the draws, whose first argument are the ids and whose second may be a mask.
        usual: the configuration, with `vocab_size`; the rows say where it is another.
        rows: one for each draw.
    """

    def make_draw(row: Row, seed: int) -> Given:
        config = _choose(usual, row)
        words = 1 + ids(row.batch, row.length, vocabulary=config["vocab_size"] - 1, seed=seed)
        return kind(config, words, *_masks(row, seed), dtype=torch.float64, seed=seed)

    return lambda seed: [make_draw(row, seed + n) for n, row in enumerate(rows)]


def _choose(usual: dict[str, Any], row: Row) -> dict[str, Any]:
    chosen = {**usual, **(row.config or {})}
    return {name: size for name, size in chosen.items() if size is not None}


def _masks(row: Row, seed: int) -> list[Tensor]:
    return [] if row.mask is None else [row.mask(row.batch, row.length, seed)]
