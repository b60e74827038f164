"""How code reads a mask: which values hide a key, and along which axes.

One check of an exercise is about the values, and one about the axes; all others use the reading that holds.
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


class Form(Enum):
    """The axes of the masks that code takes; the text says so. B sequences, S positions."""

    AS_GIVEN = ""
    FOUR_AXES = "(B, 1, S, S)"
    PER_SEQUENCE = "(B, S, S)"
    PER_KEY = "(B, S)"


@dataclass(frozen=True)
class Reading:
    """How code reads its mask.

    Attributes:
        sense: the values that hide a key.
        form: the axes.
        needed: whether it raises without a mask.
    """

    sense: Sense
    form: Form = Form.AS_GIVEN
    needed: bool = False


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
        shapes: the name of the check that fails if masks are taken along other axes alone; that on the sense,
            where the exercise has masks of one shape. Empty where no other axes are tried.
    """

    place: int
    sense: Sense
    check: str
    inputs: tuple[int, ...] = (0,)
    shapes: str = ""

    @property
    def broadcasts(self) -> bool:
        """Whether the exercise has masks of several shapes."""
        return self.shapes not in ("", self.check)

    def as_read(self, args: Sequence[Any], reading: Reading) -> list[Any]:
        """The arguments with the mask as code reads it; with one that hides nothing, where it needs one."""
        args = list(args)
        if reading.needed and (len(args) <= self.place or args[self.place] is None):
            batch, length = args[self.inputs[0]].shape[:2]
            nothing = torch.zeros(batch, 1, length, length, dtype=torch.bool)
            args[self.place :] = [self.hiding(nothing), *args[self.place + 1 :]]
        return self.in_sense(self.in_form(args, reading.form), reading.sense)

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

    def in_form(self, args: Sequence[Any], form: Form) -> list[Any]:
        """The arguments with the mask along other axes; as they are where it has values that differ there."""
        args = list(args)
        mask = args[self.place] if len(args) > self.place else None
        if form is not Form.AS_GIVEN and isinstance(mask, Tensor) and mask.dim() > 1:
            args[self.place] = _in_form(mask, form, *args[self.inputs[0]].shape[:2])
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


def _in_form(mask: Tensor, form: Form, batch: int, length: int) -> Tensor:
    """A mask that broadcasts to (B, H, S, S) along the axes of a form, if it has the same values there."""
    by_head = mask.reshape((1,) * (4 - mask.dim()) + tuple(mask.shape)).expand(batch, -1, length, length)
    first_head, first_query = by_head[:, :1], by_head[:, :1, :1]
    if not torch.equal(first_head.expand_as(by_head), by_head):
        return mask
    if form is Form.PER_KEY:
        alike = torch.equal(first_query.expand_as(first_head), first_head)
        return first_query[:, 0, 0].contiguous() if alike else mask
    return (first_head if form is Form.FOUR_AXES else first_head[:, 0]).contiguous()
