"""Sizes of modules that are large or equal: draws that are there under every seed."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any

from graders.check_api.check import Stretched
from graders.check_api.strategies.fed import Row
from graders.check_api.variation import cast_to_single

DrawsOf = Callable[[Row], Callable[[int], list[Any]]]

EQUAL, COUNT = 4, 3  # the sizes that are all equal; and in a second draw, in which the heads are as many, too
LAYERS, MOST_LAYERS = 6, 32  # of a deep draw; numbers in code from the second on are not counted
WIDTH = 4  # of a model, where other sizes are large: over fewer features a norm says little
SMALL = {"ff_dim": 5, "intermediate_size": 5, "vocab_size": 7, "max_position_embeddings": 6, "block_size": 6}
SMALL |= {
    "type_vocab_size": 2,
    "kv_dim": 3,
    "head_size": 3,
    "num_heads": 2,
    "num_layers": 2,
    "hidden_size": 3,
    "hidden_dim": 5,
}
FEW = {"num_heads": 2, "num_layers": 2}
# "kv_dim" is never as large as the width: PyTorch's attention has other parameters then.


@dataclass(frozen=True)
class Extremes:
    """Makers of draws: of equal sizes, from a seed; and those in which one size is large."""

    fixed: tuple[Callable[[int], Any], ...]
    stretched: tuple[Stretched, ...]


def extremes(draws_of: DrawsOf, width: str, config: Mapping[str, Any], free_heads: bool = False) -> Extremes:
    """The extremes of all sizes of a configuration, and of the batch.

    Args:
        draws_of: gives `diagnostic_draws` of rows: `fixed` or `fixed_ids` with all but the rows.
        width: the name of the model's width.
        config: has the names of all sizes; what is no size stays as it is.
        free_heads: whether the width of a head is an argument of its own.
    """
    names = [name for name in config if name in SMALL and name != width]
    per_head = "num_heads" in names and not free_heads
    small = {name: SMALL[name] for name in names} | {width: WIDTH}

    def make(row: Row, seed: int) -> Any:
        return cast_to_single(draws_of(row)(seed)[0])

    def make_large(name: str, size: int, seed: int) -> Any:
        changed = {name: size}
        if name == "num_heads" and per_head:
            changed[width] = 2 * size
        if name == width and per_head:
            changed[width] = size + size % SMALL["num_heads"]
        return make(Row(2, 3, {**small, **changed}), seed)

    def make_many(size: int, seed: int) -> Any:
        return make(Row(size, 2, small), seed)

    other = {"kv_dim": SMALL["kv_dim"]} if "kv_dim" in names else {}
    equal = dict.fromkeys((*names, width), EQUAL) | {name: FEW[name] for name in names if name in FEW} | other
    rows = [Row(EQUAL, EQUAL, equal)]
    if "num_heads" in names:
        as_many = dict.fromkeys(names, COUNT) | {width: COUNT * COUNT if per_head else COUNT} | other
        rows.append(Row(COUNT, COUNT, as_many))
    large = [Stretched(partial(make_large, name)) for name in (width, *names) if name != "num_layers"]
    deep = [Stretched(partial(make_large, "num_layers"), LAYERS, MOST_LAYERS)]
    return Extremes(
        tuple(partial(make, row) for row in rows),
        (*large, Stretched(make_many), *(deep if "num_layers" in names else [])),
    )
