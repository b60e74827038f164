"""Draws for recurrent networks: whole sequences, and one step of a cell.

I is the width of the input, H that of the state.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

import torch
from hypothesis import strategies as st
from torch import Tensor

from graders.check_api.strategies.fed import Row
from graders.check_api.strategies.module_inputs import LONGEST, Given
from graders.check_api.strategies.tensors import BATCH, input_values, lengths, normal, seeds, several, sizes

WIDE = 9, 12  # states of which not all is dead at once, at any position
WIDTHS = {"input_size": sizes(3, 6), "hidden_size": sizes(3, 6)}


@dataclass(frozen=True, eq=False)
class Sequences(Given):
    """Sequences (B, S, I), and the state (B, H) before their first position, or None."""

    x: Tensor
    h0: Tensor | None = None


@st.composite
def sequences(
    draw: st.DrawFn,
    least: int = 2,
    most: int = LONGEST,
    dtype: torch.dtype = torch.float32,
    corner: str = "",
    started: bool = False,
    alive: bool = False,
) -> Sequences:
    """A configuration with `input_size` and `hidden_size`, and sequences; with a first state if `started`.

    There are never as many sequences as positions, so that outputs (S, B, H) are seen to be that.
    `corner` names the size that is 1: "batch", "length" or one of the configuration; no other is.
    With `alive` a state is so wide that not all of it is dead at once, where code has a ReLU.
    """
    batch, length = draw(several(alone=corner == BATCH)), draw(lengths(least, most, corner))
    batch += batch == length
    config = {name: 1 if corner == name else draw(width) for name, width in WIDTHS.items()}
    config |= {"hidden_size": draw(sizes(*WIDE))} if alive else {}
    seed = draw(seeds())
    x = input_values(batch, length, config["input_size"], seed=seed, dtype=dtype)
    h0 = input_values(batch, config["hidden_size"], seed=seed + 1, dtype=dtype) if started else None
    return Sequences(config, x, h0, seed=seed)


def fixed_sequences(
    usual: dict[str, Any], *rows: Row, started: bool = False
) -> Callable[[int], list[Sequences]]:
    """`diagnostic_draws` of fixed sizes, in float64; each has its own seed, and a first state if asked."""

    def make_draw(row: Row, seed: int) -> Sequences:
        config = {**usual, **(row.config or {})}
        make = partial(normal, scale=row.scale, dtype=torch.float64)
        h0 = make(row.batch, config["hidden_size"], seed=seed + 1) if started else None
        return Sequences(config, make(row.batch, row.length, config["input_size"], seed=seed), h0, seed=seed)

    return lambda seed: [make_draw(row, seed + n) for n, row in enumerate(rows)]


def without_first_state(draw: Sequences) -> Sequences:
    """The draw without the state before the first position."""
    return replace(draw, h0=None)


@dataclass(frozen=True, eq=False)
class StateInput(Given):
    """One step of a cell with one state: an input (B, I), and the state (B, H) before it, or None."""

    x: Tensor
    h: Tensor | None = None


@dataclass(frozen=True, eq=False)
class CellInput(StateInput):
    """One step of a cell with two states: an input (B, I), and both states (B, H) before it, or None."""

    c: Tensor | None = None


@st.composite
def cell_inputs(
    draw: st.DrawFn,
    kind: type[StateInput] = CellInput,
    dtype: torch.dtype = torch.float32,
    corner: str = "",
) -> StateInput:
    """A configuration with `input_size` and `hidden_size`; an input and all states of its kind.

    `corner` names the size that is 1: "batch" or one of the configuration; no other is.
    """
    batch = draw(several(alone=corner == BATCH))
    config = {name: 1 if corner == name else draw(width) for name, width in WIDTHS.items()}
    seed, hidden = draw(seeds()), config["hidden_size"]
    x = input_values(batch, config["input_size"], seed=seed, dtype=dtype)
    before = [input_values(batch, hidden, seed=seed + 1 + n, dtype=dtype) for n in range(_states(kind))]
    return kind(config, x, *before, seed=seed)


def fixed_cell_inputs(
    kind: type[StateInput], usual: dict[str, Any], *rows: Row, started: bool = True
) -> Callable[[int], list[StateInput]]:
    """`diagnostic_draws` of fixed sizes, in float64; each has its own seed. No length of a row is used."""

    def make_draw(row: Row, seed: int) -> StateInput:
        config = {**usual, **(row.config or {})}
        make = partial(normal, scale=row.scale, dtype=torch.float64)
        states = range(_states(kind) if started else 0)
        before = [make(row.batch, config["hidden_size"], seed=seed + 1 + n) for n in states]
        return kind(config, make(row.batch, config["input_size"], seed=seed), *before, seed=seed)

    return lambda seed: [make_draw(row, seed + n) for n, row in enumerate(rows)]


def _states(kind: type[StateInput]) -> int:
    """How many states a step has."""
    return 2 if issubclass(kind, CellInput) else 1
