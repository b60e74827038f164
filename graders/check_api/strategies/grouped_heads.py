"""Draws for modules whose query heads share heads of keys and values: sizes that fit one another.

The width of a head is even, since its columns are turned in pairs. B batch, S sequence, E model width.
"""

from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

import torch
from hypothesis import strategies as st

from graders.check_api.check import Stretched
from graders.check_api.strategies.extremes import LAYERS, MOST_LAYERS, Extremes
from graders.check_api.strategies.fed import Row
from graders.check_api.strategies.module_inputs import LONGEST, Input, Tokens
from graders.check_api.strategies.tensors import (
    BATCH,
    ids,
    input_values,
    lengths,
    seeds,
    several,
    sizes,
)
from graders.check_api.variation import cast_to_single

AS_MANY = "as many"  # heads of keys and values as heads
# Heads of keys and values, and how many heads share one. Never as many of both: who takes one number for the
# other would go unnoticed.
SHARED = ((2, 3), (3, 2))


@st.composite
def grouped(
    draw: st.DrawFn,
    /,
    least: int = 2,
    most: int = LONGEST,
    dtype: torch.dtype = torch.float32,
    scale: float = 1.0,
    corner: str = "",
    **widths: st.SearchStrategy[int],
) -> Input:
    """A configuration with `dim`, `num_heads`, `num_kv_heads` and `widths`, and an input (B, S, E).

    Args:
        draw: passed by Hypothesis.
        least: minimum length.
        most: maximum length.
        dtype: of the input.
        scale: of the input.
        corner: what is 1: "length", "num_heads", "num_kv_heads" or one of `widths`; or AS_MANY.
        widths: further sizes of the configuration, by name.
    """
    config = draw(_configurations(corner, widths))
    batch, length = draw(several(alone=corner == BATCH)), draw(lengths(least, most, corner))
    seed = draw(seeds())
    x = input_values(batch, length, config["dim"], seed=seed, scale=scale, dtype=dtype)
    return Input(config, x, seed=seed)


@st.composite
def grouped_words(
    draw: st.DrawFn,
    /,
    least: int = 2,
    most: int = LONGEST,
    dtype: torch.dtype = torch.float32,
    corner: str = "",
    **widths: st.SearchStrategy[int],
) -> Tokens:
    """The same for a model, with `vocab_size` and ids (B, S) from 1 to `vocab_size` - 1."""
    config = {"vocab_size": draw(sizes(4, 12)), **draw(_configurations(corner, widths))}
    batch, length = draw(several(alone=corner == BATCH)), draw(lengths(least, most, corner))
    seed = draw(seeds())
    words = 1 + ids(batch, length, vocabulary=config["vocab_size"] - 1, seed=seed)
    return Tokens(config, words, dtype=dtype, seed=seed)


@st.composite
def _configurations(
    draw: st.DrawFn, corner: str, widths: Mapping[str, st.SearchStrategy[int]]
) -> dict[str, int]:
    kv_heads, sharing = draw(st.sampled_from(SHARED))
    if corner == AS_MANY:
        sharing = 1
    if corner in ("num_heads", "num_kv_heads"):
        kv_heads, sharing = 1, 1 if corner == "num_heads" else sharing
    heads = kv_heads * sharing
    width = heads * 2 * draw(sizes(1 if heads > 1 else 2, 2))
    further = {name: 1 if corner == name else draw(size) for name, size in widths.items()}
    return {"dim": width, "num_heads": heads, "num_kv_heads": kv_heads, **further}


def grouped_extremes(draws_of: Callable[[Row], Callable[[int], list[Any]]], **small: int) -> Extremes:
    """Draws of equal sizes, and those in which one size or the batch is large.

    Args:
        draws_of: gives `diagnostic_draws` of rows: `fixed` or `fixed_ids` with all but the rows.
        small: the sizes beside the width and the heads, where another one is large.
    """
    usual = {"dim": 8, "num_heads": 4, "num_kv_heads": 2, **small}

    def make(row: Row, seed: int) -> Any:
        return cast_to_single(draws_of(row)(seed)[0])

    def make_large(name: str, size: int, seed: int) -> Any:
        changed = {
            "dim": {"dim": 8 * -(-size // 8)},
            "num_heads": {"dim": 2 * size, "num_heads": size, "num_kv_heads": size},
        }
        return make(Row(2, 3, {**usual, **changed.get(name, {name: size})}), seed)

    def make_many(size: int, seed: int) -> Any:
        return make(Row(size, 2, usual), seed)

    equal = Row(4, 4, {**dict.fromkeys(small, 4), "dim": 8, "num_heads": 4, "num_kv_heads": 4})
    as_wide = Row(2, 2, {**dict.fromkeys(small, 2), "dim": 4, "num_heads": 2, "num_kv_heads": 2})
    # As many heads of keys as heads are stretched with them: alone, they would need twice the width.
    names = [name for name in usual if name not in ("num_layers", "num_kv_heads")]
    deep = (
        [Stretched(partial(make_large, "num_layers"), LAYERS, MOST_LAYERS)] if "num_layers" in small else []
    )
    return Extremes(
        (partial(make, equal), partial(make, as_wide)),
        (*(Stretched(partial(make_large, name)) for name in names), Stretched(make_many), *deep),
    )
