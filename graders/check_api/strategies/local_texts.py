"""Queries, keys and values for local attention, and windows of several widths."""

from dataclasses import dataclass, field
from typing import ClassVar

import torch
from hypothesis import strategies as st
from torch import Tensor

from graders.check_api.strategies.drawn import Drawn
from graders.check_api.strategies.tensors import hidden, input_values, seeds, several, sizes


@dataclass(frozen=True, eq=False)
class LocalText(Drawn):
    """Queries, keys and values (B, H, S, D), and how many positions are seen on each side."""

    alive_at: ClassVar[tuple[int, ...]] = (2,)

    Q: Tensor
    K: Tensor
    V: Tensor
    window: int
    seed: int = field(default=0, metadata=hidden)

    @property
    def distance(self) -> Tensor:
        """How far apart two positions are, (S, S)."""
        place = torch.arange(self.Q.shape[2])
        return (place[:, None] - place).abs()


@st.composite
def local_texts(
    draw: st.DrawFn,
    least: int = 3,
    most: int = 9,
    windows: tuple[int, int] = (2, 4),
    dtype: torch.dtype = torch.float32,
    divided: bool = True,
) -> LocalText:
    """A text that is longer than the window; checks of their own are about narrow windows and short texts.

    The window divides the length, unless it need not (`divided`): other lengths are for the core check alone.
    """
    window = draw(st.integers(*windows))
    if divided:
        fewest = max(2, -(-least // window))
        length = window * draw(st.integers(fewest, max(fewest, most // window)))
        return draw(_texts(length, length, window, dtype))
    return draw(_texts(max(least, window + 1), most, window, dtype))


def short_local_texts() -> st.SearchStrategy[LocalText]:
    """A text that is no longer than the window."""
    return st.integers(5, 8).flatmap(lambda window: _texts(1, 5, window))


def narrow_local_windows() -> st.SearchStrategy[LocalText]:
    """Windows of 1 and of 0, which is the simplest; a window of 2 divides the length too."""
    return st.builds(lambda window, half: (window, 2 * half), st.integers(0, 1), st.integers(2, 4)).flatmap(
        lambda drawn: _texts(drawn[1], drawn[1], drawn[0])
    )


@st.composite
def _texts(
    draw: st.DrawFn, least: int, most: int, window: int, dtype: torch.dtype = torch.float32
) -> LocalText:
    """A text of `least` to `most` positions."""
    batch, heads, width = draw(several(2)), draw(several()), draw(sizes(2, 5))
    length = draw(sizes(least, most))
    return local_text_of((batch, heads, length, width), window, draw(seeds()), dtype)


def local_text_of(shape: tuple[int, ...], window: int, seed: int, dtype: torch.dtype) -> LocalText:
    """Queries, keys and values of one shape (B, H, S, D)."""
    Q, K, V = (input_values(*shape, seed=seed + n, dtype=dtype) for n in range(3))
    return LocalText(Q, K, V, window, seed)
