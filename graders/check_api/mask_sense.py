"""How code reads a mask: which values hide a key.

One check of an exercise is about that; all others use the sense that holds.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from enum import Enum
from typing import Any

import torch
from torch import Tensor

from graders.check_api.strategies.attention_masks import additive
from graders.language import tr, translatable

HIDDEN_BELOW = -1.0  # in an additive mask: what is added where a key is hidden is far below


class Sense(Enum):
    """The values of a mask that hide a key; the text says so."""

    TRUE_HIDES = translatable("True hides a key")
    ONE_HIDES = translatable("1 hides a key, 0 shows it")
    TRUE_ALLOWS = translatable("True allows a key, False hides it")
    ONE_ALLOWS = translatable("1 allows a key, 0 hides it")
    ADDS = translatable("the mask is added to the scores: a large negative number hides a key, 0 shows it")

    @property
    def says(self) -> str:
        """Its text in the reader's language."""
        return tr(str(self.value))

    @property
    def is_bool(self) -> bool:
        """Whether its masks are of bools."""
        return self in (Sense.TRUE_HIDES, Sense.TRUE_ALLOWS)


_MAKE: dict[Sense, Callable[[Tensor, torch.dtype], Tensor]] = {
    Sense.TRUE_HIDES: lambda hidden, _: hidden,
    Sense.ONE_HIDES: lambda hidden, _: hidden.long(),
    Sense.TRUE_ALLOWS: lambda hidden, _: ~hidden,
    Sense.ONE_ALLOWS: lambda hidden, _: (~hidden).long(),
    Sense.ADDS: lambda hidden, dtype: additive(hidden, dtype=dtype),
}


@dataclass(frozen=True)
class MaskArgument:
    """The mask among the arguments of an exercise's symbol. A checks file has one as `MASK`.

    Attributes:
        place: its index among the arguments.
        sense: as the exercise says it.
        check: the name of the check that fails if the mask is read in another sense.
        inputs: the indices of the arguments that hold what the mask hides, (..., S) or (..., S, E).
    """

    place: int
    sense: Sense
    check: str
    inputs: tuple[int, ...] = (0,)

    def in_sense(self, args: Sequence[Any], sense: Sense) -> list[Any]:
        """The arguments with the mask in another sense; as they are where it has values of neither kind."""
        args = list(args)
        mask = args[self.place] if len(args) > self.place else None
        if sense is self.sense or not isinstance(mask, Tensor) or self._is_mixed(mask):
            return args
        dtype = next(
            (a.dtype for a in args if isinstance(a, Tensor) and a.is_floating_point()), torch.float32
        )
        args[self.place] = _MAKE[sense](self.hidden(mask), dtype)
        return args

    def hidden(self, mask: Tensor) -> Tensor:
        """A bool mask, True = hidden, from one in the exercise's sense."""
        if self.sense is Sense.ADDS:
            return mask < HIDDEN_BELOW
        return mask.bool() if self.sense in (Sense.TRUE_HIDES, Sense.ONE_HIDES) else ~mask.bool()

    def hiding(self, hidden: Tensor) -> Tensor:
        """A mask in the exercise's sense, from a bool mask, True = hidden."""
        return _MAKE[self.sense](hidden, torch.float32)

    def _is_mixed(self, mask: Tensor) -> bool:
        return self.sense is Sense.ADDS and bool(((mask != 0) & (mask >= HIDDEN_BELOW)).any())
