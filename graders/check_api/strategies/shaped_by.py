"""Draws for functions of tensors, whose shapes are written by letters.

@dataclass(frozen=True, eq=False)
class Products(Drawn):
    a: Tensor
    b: Tensor

products = ShapedBy(Products, a="B I K", b="B K O")
products(dtype=torch.float64)  # a strategy; one letter is one size
"""

import random
import string
from collections.abc import Mapping
from typing import Any, Generic, TypeVar

import torch
from hypothesis import strategies as st
from torch import Tensor

from graders.check_api.strategies.drawn import Drawn
from graders.check_api.strategies.tensors import input_values, normal, seeds, several, sizes

D = TypeVar("D", bound=Drawn)
DIGITS = string.digits
LARGEST = 5  # of a size that a check draws
DIAGNOSTIC = 6  # draws by which mistakes are found
OF_DIAGNOSTIC = range(2, 9)  # sizes in these


class ShapedBy(Generic[D]):
    """Strategies of draws of a kind; a call gives one.

    Args:
        kind: of the draws: a frozen dataclass below `Drawn`, whose fields are the arguments of a call.
        given: each field by its name: the letters of a tensor's axes, as "B S E", in which an axis "2D" is
            twice as long as D; or a list of the values that an argument of another kind may have. A field
            that is not given keeps its default.
    """

    def __init__(self, kind: type[D], **given: str | list[Any]) -> None:
        self.kind = kind
        self.axes = {name: tuple(said.split()) for name, said in given.items() if isinstance(said, str)}
        self.choices = {name: said for name, said in given.items() if not isinstance(said, str)}
        all_axes = [axis for axes in self.axes.values() for axis in axes]
        self.letters = tuple(dict.fromkeys(axis.lstrip(DIGITS) for axis in all_axes))

    def __call__(self, *, dtype: torch.dtype = torch.float32, corner: str = "") -> st.SearchStrategy[D]:
        """A strategy of small draws.

        Args:
            dtype: of the tensors.
            corner: the letter of the size that is 1; no other is.
        """
        return _drawn(self, dtype, corner)

    def make(
        self,
        seed: int,
        lengths: Mapping[str, int],
        *,
        dtype: torch.dtype = torch.float32,
        plain: bool = False,
    ) -> D:
        """A draw of these sizes by letter; other arguments have one of their values.

        Args:
            seed: of the values.
            lengths: the size of each letter.
            dtype: of the tensors.
            plain: whether values may be small whole numbers, where the draw is to be shown.
        """
        choices = {name: values[seed % len(values)] for name, values in self.choices.items()}
        return self._build(seed, lengths, dtype, choices, plain=plain)

    def usual(self, seed: int) -> D:
        """The first diagnostic draw, in float32."""
        return self.make(seed, self._sizes_of(0))

    def stretched(self, letter: str, length: int, seed: int) -> D:
        """A draw in which one size is as it is asked for, and all others are 2."""
        return self.make(seed, {each: length if each == letter else 2 for each in self.letters})

    def diagnostic_draws(self, seed: int) -> list[D]:
        """Draws in float64 of other sizes each, by which mistakes are found: for `Options`."""
        return [
            self.make(seed + number, self._sizes_of(number), dtype=torch.float64)
            for number in range(DIAGNOSTIC)
        ]

    def _sizes_of(self, number: int) -> dict[str, int]:
        """The sizes of a diagnostic draw: no two are equal, and none follows from another."""
        numbers = random.Random(number)  # noqa: S311 - no secret
        chosen = numbers.sample(OF_DIAGNOSTIC, min(len(self.letters), len(OF_DIAGNOSTIC)))
        return dict(zip(self.letters, chosen, strict=False))

    def _build(
        self,
        seed: int,
        lengths: Mapping[str, int],
        dtype: torch.dtype,
        choices: Mapping[str, Any],
        *,
        plain: bool,
    ) -> D:
        values = input_values if plain else normal

        def tensor(axes: tuple[str, ...], number: int) -> Tensor:
            return values(*(_length_of(axis, lengths) for axis in axes), seed=seed + number, dtype=dtype)

        tensors = {name: tensor(axes, number) for number, (name, axes) in enumerate(self.axes.items())}
        return self.kind(**tensors, **choices)


def _length_of(axis: str, lengths: Mapping[str, int]) -> int:
    letter = axis.lstrip(DIGITS)
    return int(axis.removesuffix(letter) or 1) * lengths[letter]


@st.composite
def _drawn(draw: st.DrawFn, shaped_by: ShapedBy[D], dtype: torch.dtype, corner: str) -> D:
    first, *others = shaped_by.letters
    lengths = {first: draw(several(alone=corner == first))}
    lengths |= {letter: 1 if corner == letter else draw(sizes(2, LARGEST)) for letter in others}
    choices = {name: draw(st.sampled_from(values)) for name, values in shaped_by.choices.items()}
    return shaped_by._build(draw(seeds()), lengths, dtype, choices, plain=True)
