"""Strategies for layers with something around them: an input, and the layer that is lent."""

from dataclasses import dataclass, field

import torch
from hypothesis import strategies as st
from torch import Tensor

from graders.check_api.strategies.tensors import (
    BATCH,
    hidden,
    input_values,
    lengths,
    normal,
    seeds,
    several,
    sizes,
)


@dataclass(frozen=True, eq=False)
class Wrapped:
    """An input (B, S, E), and the weight (E, E) of the layer tanh(x @ weight.T) that is lent."""

    x: Tensor
    weight: Tensor
    seed: int = field(default=0, metadata=hidden)

    @property
    def dim(self) -> int:
        """E, the width."""
        return self.x.shape[-1]


def wrapped(batch: int, length: int, dim: int, seed: int, dtype: torch.dtype = torch.float32) -> Wrapped:
    """An input (B, S, E) and a weight (E, E) that depend on the seed alone."""
    x, weight = (
        input_values(batch, length, dim, seed=seed, dtype=dtype),
        normal(dim, dim, seed=seed + 1, dtype=dtype),
    )
    return Wrapped(x, weight, seed)


@st.composite
def wrapped_layers(draw: st.DrawFn, dtype: torch.dtype = torch.float32, corner: str = "") -> Wrapped:
    """Widths from 3, since a norm over two values answers 1 and -1.

    `corner` names what there is one of alone: "length" (positions) or "batch" (sequences).
    """
    batch, length = draw(several(alone=corner == BATCH)), draw(lengths(2, 5, corner))
    return wrapped(batch, length, draw(sizes(3, 7)), draw(seeds()), dtype)
